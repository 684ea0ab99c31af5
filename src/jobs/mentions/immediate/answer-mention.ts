/** Posts the answer to a mention where it was written, once, reacts to it, and records how it ended. */
import { KodiaiError, messageOf } from "../../../base/errors.ts";
import type { Log } from "../../../base/log.ts";
import type { ForgeSession } from "../../../forge/forge.ts";
import type { LeaseState } from "../../../queue/queue.ts";
import type { Database } from "../../../store/database.ts";
import { endMention } from "../../../store/repositories/mentions.ts";
import { createPublicationJournal } from "../../../store/repositories/publications.ts";
import type { JobOutcome } from "../../recipe.ts";
import type { MentionJob } from "../mention-job.ts";
import type { Reply } from "../reply.ts";
import { mentionKeyOf } from "./immediate-command.ts";

export type AnswerMentionDeps = {
  readonly session: Pick<ForgeSession, "answer" | "react">;
  readonly database: Database;
  readonly now: () => number;
  readonly context: { readonly log: Pick<Log, "warn">; lease(): Promise<LeaseState> };
};

export async function answerMention(
  mention: MentionJob,
  reply: Reply,
  deps: AnswerMentionDeps,
): Promise<JobOutcome> {
  const isPosted = reply.body === null || (await post(mention, reply.body, deps));
  if ((await deps.context.lease()) === "lost") return { state: "lost" };
  await finalReaction(mention, isPosted ? reply.reaction : "confused", deps);
  // The command had its effect, and the record says that its answer is missing.
  const outcome = isPosted ? reply.outcome : "failed:unanswered";
  await endMention(mentionKeyOf(mention), { outcome, at: deps.now() }, deps.database);
  return { state: "done", reason: outcome };
}

/** False if the host rejects the answer for good: the conversation was locked, or the thread was deleted. */
async function post(
  { repositoryRef, place, requestId }: MentionJob,
  body: string,
  { session, database, now, context }: AnswerMentionDeps,
): Promise<boolean> {
  const { number, threadRoot } = place;
  const { repositoryId } = repositoryRef;
  const journal = createPublicationJournal(database, {
    repositoryId,
    pullRequest: number,
    head: "",
    request: requestId,
    now,
  });
  const isLost = async (): Promise<boolean> => (await context.lease()) === "lost";
  try {
    await session.answer({ repositoryRef, number, threadRoot, request: requestId, body, journal, isLost });
    return true;
  } catch (error) {
    if (!(error instanceof KodiaiError) || error.retryable) throw error;
    context.log.warn("answer failed", { error: messageOf(error) });
    return false;
  }
}

/** The answer is the news; a reaction that fails is only logged. */
async function finalReaction(
  { place }: MentionJob,
  reaction: Reply["reaction"],
  { session, context }: AnswerMentionDeps,
): Promise<void> {
  try {
    await session.react(place.target, reaction);
  } catch (error) {
    context.log.warn("reaction failed", { reaction, error: messageOf(error) });
  }
}
