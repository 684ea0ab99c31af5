/** Answers in one line where the review was requested, once per hour, when the limit on model reviews is reached. */
import { KodiaiError, messageOf } from "../../base/errors.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import type { RowStore } from "../job-store.ts";
import type { RequesterClass, Decision } from "../spending/request-limits.ts";
import { acknowledge } from "./acknowledge.ts";
import type { OpenRun } from "./open-run.ts";

type Refusal = Extract<Decision, { kind: "refused" }>;

/** The people of a class, as part of a sentence. */
export const PEOPLE: Readonly<Record<RequesterClass, string>> = {
  stranger: "people without a merged pull request here",
  contributor: "contributors without write access",
  writer: "people with write access",
};

export async function answerRefusal(decision: Refusal, refused: OpenRun, store: RowStore): Promise<void> {
  if (decision.isAnswered) await postRefusal(decision, refused, store);
  const { session, context } = refused;
  // The refusal is about every request.
  for (const request of refused.requests) await acknowledge(request, session.comments, context, "confused");
}

async function postRefusal(
  decision: Refusal,
  { pullRequest, session, run, requests, context }: OpenRun,
  { database, now }: RowStore,
): Promise<void> {
  const { repositoryRef, number, head } = pullRequest;
  const { repositoryId } = repositoryRef;
  const request = `limit/${run.id}`;
  const journal = createPublicationJournal(database, {
    repositoryId,
    pullRequest: number,
    head,
    request,
    now,
  });
  const isLost = async (): Promise<boolean> => (await context.lease()) === "lost";
  const threadRoot = requests.find(({ jobId }) => jobId === decision.by.jobId)?.threadRoot ?? null;
  const body = describeRefusal(decision);
  try {
    await session.comments.answer({ repositoryRef, number, threadRoot, request, body, journal, isLost });
  } catch (error) {
    // A retried job first looks for an answer that it already posted. A locked conversation rejects comments for good.
    if (error instanceof KodiaiError && error.retryable) throw error;
    context.log.warn("answer failed", { error: messageOf(error) });
  }
}

function describeRefusal({ by, limit, againAtMs }: Refusal): string {
  const people = PEOPLE[by.requesterClass];
  const time = new Date(againAtMs).toISOString().slice(11, 16);
  const limited = `Kodiai didn't start this review: ${people} can request ${limit} an hour per pull request.`;
  return limit === 0
    ? `${limited} Ask a maintainer to request it.`
    : `${limited} Try again after ${time} UTC, or ask a maintainer to request it.`;
}
