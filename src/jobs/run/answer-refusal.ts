/** Posts a one-line answer on the pull request, once per hour, when the limit on model reviews is reached. */
import { KodiaiError, messageOf } from "../../base/errors.ts";
import type { ForgeSession, PullRequest } from "../../forge/forge.ts";
import type { Database } from "../../store/database.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import type { JobContext } from "../recipe.ts";
import type { RequesterClass, Decision } from "../spending/request-limits.ts";

export type AnswerInput = {
  readonly decision: Extract<Decision, { kind: "refused" }>;
  readonly pullRequest: PullRequest;
  readonly session: ForgeSession;
  readonly run: { readonly id: number };
};

export type AnswerDeps = {
  readonly database: Database;
  readonly now: () => number;
  readonly context: Pick<JobContext, "log" | "lease">;
};

const PEOPLE: Readonly<Record<RequesterClass, string>> = {
  stranger: "people without a merged pull request here",
  contributor: "contributors without write access",
  writer: "people with write access",
};

export async function answerRefusal(
  { decision, pullRequest, session, run }: AnswerInput,
  { database, now, context }: AnswerDeps,
): Promise<void> {
  if (!decision.isAnswered) return;
  const { repositoryRef, number, head } = pullRequest;
  const request = `limit/${run.id}`;
  const journal = createPublicationJournal(database, {
    repositoryId: repositoryRef.repositoryId,
    pullRequest: number,
    head,
    request,
    now,
  });
  const isLost = async (): Promise<boolean> => (await context.lease()) === "lost";
  try {
    await session.answer({ pullRequest, request, body: describeRefusal(decision), journal, isLost });
  } catch (error) {
    // A retried job first looks for an answer that it already posted. A locked conversation rejects comments for good.
    if (error instanceof KodiaiError && error.retryable) throw error;
    context.log.warn("answer failed", { error: messageOf(error) });
  }
}

function describeRefusal({ by, limit, againAtMs }: AnswerInput["decision"]): string {
  const people = PEOPLE[by.requesterClass];
  const time = new Date(againAtMs).toISOString().slice(11, 16);
  const limited = `Kodiai didn't start this review: ${people} can request ${limit} an hour per pull request.`;
  return limit === 0
    ? `${limited} Ask a maintainer to request it.`
    : `${limited} Try again after ${time} UTC, or ask a maintainer to request it.`;
}
