/** Answers in one line where the review was requested, once per hour, when the limit on model reviews is reached. */
import { KodiaiError, messageOf } from "../../base/errors.ts";
import type { ForgeSession, PullRequest } from "../../forge/forge.ts";
import type { Database } from "../../store/database.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import type { GatheredRequest } from "../gathering/gather-requests.ts";
import type { JobContext } from "../recipe.ts";
import type { RequesterClass, Decision } from "../spending/request-limits.ts";
import { acknowledge } from "./acknowledge.ts";

export type AnswerInput = {
  readonly decision: Extract<Decision, { kind: "refused" }>;
  readonly pullRequest: PullRequest;
  readonly session: ForgeSession;
  readonly run: { readonly id: number };
  /** Every request that the refusal is about. */
  readonly requests: readonly GatheredRequest[];
};

export type AnswerDeps = {
  readonly database: Database;
  readonly now: () => number;
  readonly context: Pick<JobContext, "log" | "lease">;
};

/** The people of a class, as part of a sentence. */
export const PEOPLE: Readonly<Record<RequesterClass, string>> = {
  stranger: "people without a merged pull request here",
  contributor: "contributors without write access",
  writer: "people with write access",
};

export async function answerRefusal(input: AnswerInput, deps: AnswerDeps): Promise<void> {
  if (input.decision.isAnswered) await postRefusal(input, deps);
  for (const request of input.requests) await acknowledge(request, input.session, deps.context, "confused");
}

async function postRefusal(
  { decision, pullRequest, session, run, requests }: AnswerInput,
  { database, now, context }: AnswerDeps,
): Promise<void> {
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
    const refused = requests.find(({ jobId }) => jobId === decision.by.jobId);
    const place = { repositoryRef, number, threadRoot: refused?.threadRoot ?? null };
    await session.answer({ ...place, request, body: describeRefusal(decision), journal, isLost });
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
