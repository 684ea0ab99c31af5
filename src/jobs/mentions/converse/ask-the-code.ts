/** Lets a model answer from the code, and turns the end of its work into a reply. */
import type { StopReason } from "../../../model/stop-reason.ts";
import { stopCode } from "../../../model/stop-code.ts";
import type { AnswerIntent } from "../../../review/prompt/conversation-prompt.ts";
import { describeStopInPublic } from "../../../review/publication/compose/describe-stop-reason.ts";
import { repositoryUrlOf } from "../../../review/publication/compose/compose-pull-request.ts";
import { renderAnswer } from "../../../review/publication/render/render-answer.ts";
import { neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import { type QuestionEnd, answerQuestion } from "../../conversation/answer-question.ts";
import { checkCitations } from "../../conversation/check-citations.ts";
import type { Reply } from "../reply.ts";
import type { Conversation, ConversationDeps, ConversationSubject } from "./conversation.ts";
import { gatherSurroundings } from "./gather-surroundings.ts";

export type CodeAnswer =
  /** Markdown that is safe to publish. */
  | { readonly kind: "answered"; readonly body: string }
  | { readonly kind: "no-model" }
  | { readonly kind: "failed"; readonly stopReason: StopReason };

export async function askTheCode(
  { intent, question }: { readonly intent: AnswerIntent; readonly question: string },
  conversation: Conversation,
  deps: ConversationDeps,
): Promise<CodeAnswer> {
  const { subject, code, config, models, session, context } = conversation;
  const { repository, reader } = code;
  const { values } = config.tree.root;
  // Without a model, nothing needs to be gathered.
  if ((await models.choice.choose(values)).models.length === 0) return { kind: "no-model" };
  await context.step("answering");
  const end = await answerQuestion(
    {
      ...(await gatherSurroundings(conversation, deps)),
      intent,
      question,
      mention: await session.mention(),
      repository,
      head: { commit: code.head },
      config: values,
    },
    {
      models,
      reader,
      codeIndex: code.index,
      readChecks: subject.kind === "issue" ? null : () => session.checks.read(code.head),
      now: deps.store.now,
      signal: context.signal,
      onPrompt: conversation.notePrompt,
    },
  );
  return toCodeAnswer(end, conversation);
}

async function toCodeAnswer(
  end: QuestionEnd,
  { code: { repository, head }, subject }: Conversation,
): Promise<CodeAnswer> {
  if (end.kind === "no-model") return { kind: "no-model" };
  if (end.kind === "failed") return { kind: "failed", stopReason: end.stopReason };
  const repositoryUrl = pageOf(subject);
  const isThere = await checkCitations(end.text, { repository, head: { commit: head }, repositoryUrl });
  return { kind: "answered", body: renderAnswer(end.text, { isThere, repositoryUrl, commit: head }) };
}

/** The page of the repository on its host; null if its address isn't one that a link may have. */
export function pageOf(subject: ConversationSubject): string | null {
  return subject.kind === "issue" ? subject.repositoryUrl : repositoryUrlOf(subject.pullRequest.url);
}

/** For commands whose answer is the model's alone. */
export function replyOf(kind: AnswerIntent, answer: CodeAnswer): Reply {
  switch (answer.kind) {
    case "answered":
      return { body: answer.body, reaction: "+1", outcome: `answered:${kind}` };
    case "no-model":
      return {
        body: "This needs a model, and none is available here. Ask the operator to set one up.",
        reaction: "confused",
        outcome: "refused:no-model",
      };
    case "failed":
      return {
        body: `${describeFailure(answer.stopReason)} Comment again to retry.`,
        reaction: "confused",
        outcome: `failed:${stopCode(answer.stopReason)}`,
      };
  }
}

export function describeFailure(reason: StopReason): string {
  return `The model gave no answer: ${neutraliseInline(describeStopInPublic(reason))}.`;
}
