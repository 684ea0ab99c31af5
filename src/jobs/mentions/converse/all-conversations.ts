/** The commands of the second job. A new kind of command without a line here doesn't compile. */
import type { MentionCommand } from "../command.ts";
import type { Reply } from "../reply.ts";
import { changeFiles } from "../write/change-files.ts";
import { fixFindings } from "../write/fix-findings.ts";
import { answerAsk } from "./answer-ask.ts";
import { answerPlan } from "./answer-plan.ts";
import type { Conversation, ConversationDeps, Converse } from "./conversation.ts";
import { explainFinding } from "./explain-finding.ts";
import { summariseChange } from "./summarise-change.ts";

/** The kinds that the first job hands over. */
export const CONVERSATION_KINDS = ["ask", "plan", "explain", "summary", "fix", "change"] as const;
export type ConversationKind = (typeof CONVERSATION_KINDS)[number];
export type ConversationCommand = Extract<MentionCommand, { readonly kind: ConversationKind }>;

const CONVERSATIONS: { readonly [Kind in ConversationKind]: Converse<Kind> } = {
  ask: answerAsk,
  plan: answerPlan,
  explain: explainFinding,
  summary: summariseChange,
  fix: fixFindings,
  change: changeFiles,
};

/** Null for a command that the first job answers. */
export function toConversationCommand(command: MentionCommand): ConversationCommand | null {
  return isConversation(command) ? command : null;
}

function isConversation(command: MentionCommand): command is ConversationCommand {
  return CONVERSATION_KINDS.some((kind) => kind === command.kind);
}

export function runConversation(
  command: ConversationCommand,
  conversation: Conversation,
  deps: ConversationDeps,
): Promise<Reply> {
  // The record pairs each kind with its own function, which TypeScript can't follow through a union.
  const converse = CONVERSATIONS[command.kind] as Converse<ConversationKind>;
  return converse(command, conversation, deps);
}
