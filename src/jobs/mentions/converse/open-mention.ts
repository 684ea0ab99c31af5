/** Reads what a mention is about as it is now: the pull request or issue, and what was said before. */
import type { Discussion } from "../../../forge/forge.ts";
import { MAX_THREAD_COMMENTS } from "../../../review/prompt/surroundings/show-thread.ts";
import { readSubject } from "../immediate/read-subject.ts";
import type { Reply } from "../reply.ts";
import type { MentionAttempt } from "../run-mention.ts";
import type { ConversationKind } from "./all-conversations.ts";
import type { ConversationSubject } from "./conversation.ts";

export type OpenedMention =
  | { readonly kind: "opened"; readonly subject: ConversationSubject; readonly discussion: Discussion }
  /** A reply that needs no code, or the reason why nothing is answered. */
  | { readonly kind: "end"; readonly result: Reply | `skipped:${string}` };

/** They write to the head branch, or next to it. */
const NEED_OPEN: ReadonlySet<string> = new Set<ConversationKind>(["fix", "change"]);

export async function openMention({ mention, session, context }: MentionAttempt): Promise<OpenedMention> {
  await context.step("reading the comment");
  const discussion = await session.comments.readDiscussion(mention.place, MAX_THREAD_COMMENTS);
  if (discussion === null) return { kind: "end", result: "skipped:comment-deleted" };
  const { subject, config } = await readSubject(mention, session);
  if (!config.tree.root.values.mentions.enabled) return { kind: "end", result: "skipped:mentions-off" };
  const isClosed = subject.kind === "pull-request" && !subject.pullRequest.isOpen;
  if (!isClosed || !NEED_OPEN.has(mention.command.kind)) return { kind: "opened", subject, discussion };
  const body = `This pull request is closed, so \`${mention.command.kind}\` changes nothing here. Reopen it, or comment on another one.`;
  return { kind: "end", result: { body, reaction: "confused", outcome: "refused:closed" } };
}
