/** Posts the answer to a mention where it was written, once, reacts to it, and records how it ended. */
import { KodiaiError, messageOf } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import type { ForgeSession } from "../../../forge/forge.ts";
import type { LeaseState } from "../../../queue/queue.ts";
import { createPublicationJournal } from "../../../store/repositories/publications.ts";
import type { RowStore } from "../../job-store.ts";
import type { JobOutcome } from "../../recipe.ts";
import type { Reply } from "../reply.ts";
import type { MentionAttempt } from "../run-mention.ts";

/** A mention whose answer is known. */
export type MentionToAnswer = Pick<MentionAttempt, "mention"> & {
  readonly record: Pick<MentionAttempt["record"], "end">;
  readonly session: Pick<ForgeSession, "comments">;
  readonly context: { readonly log: Pick<Log, "warn">; lease(): Promise<LeaseState> };
};

export async function answerMention(
  answered: MentionToAnswer,
  reply: Reply,
  store: RowStore,
): Promise<JobOutcome> {
  const isPosted = reply.body === null || (await post(reply.body, answered, store));
  if ((await answered.context.lease()) === "lost") return { state: "lost" };
  await finalReaction(isPosted ? reply.reaction : "confused", answered);
  // The command had its effect, and the record says that its answer is missing.
  const outcome = isPosted ? reply.outcome : "failed:unanswered";
  await answered.record.end(outcome);
  return { state: "done", reason: outcome };
}

/** False if the host rejects the answer for good: the conversation was locked, or the thread was deleted. */
async function post(
  body: string,
  { mention, session, context }: MentionToAnswer,
  { database, now }: RowStore,
): Promise<boolean> {
  const { repositoryRef, place, requestId: request } = mention;
  const { number, threadRoot } = place;
  const { repositoryId } = repositoryRef;
  const scope = { repositoryId, pullRequest: number, head: "", request, now };
  const journal = createPublicationJournal(database, scope);
  const isLost = async (): Promise<boolean> => (await context.lease()) === "lost";
  try {
    await session.comments.answer({ repositoryRef, number, threadRoot, request, body, journal, isLost });
    return true;
  } catch (error) {
    if (!(error instanceof KodiaiError) || error.retryable) throw error;
    context.log.warn("answer failed", { error: messageOf(error) });
    return false;
  }
}

/** The answer is the news; a reaction that fails is only logged. */
async function finalReaction(
  reaction: Reply["reaction"],
  { mention, session, context }: MentionToAnswer,
): Promise<void> {
  try {
    await session.comments.react(mention.place.target, reaction);
  } catch (error) {
    context.log.warn("reaction failed", { reaction, error: messageOf(error) });
  }
}
