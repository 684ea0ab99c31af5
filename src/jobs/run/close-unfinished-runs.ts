/** Closes abandoned runs and concludes their checks, so that no check stays in progress forever. */
import { KodiaiError, messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { ForgeSession, PullRequest } from "../../forge/forge.ts";
import type { Job, Queue } from "../../queue/queue.ts";
import type { Database } from "../../store/database.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import { finishRun, type RunEnd } from "../../store/repositories/runs.ts";
import type { JobContext, JobOutcome } from "../recipe.ts";
import type { ReviewJob } from "../review-job.ts";
import { findUnfinishedRuns, type UnfinishedRun } from "./find-unfinished-runs.ts";
import { gatherRequests } from "../gathering/gather-requests.ts";

export type RunClosing = {
  readonly status: RunEnd["status"];
  readonly reason: string;
  /** One sentence, shown on the check. */
  readonly message: string;
};

export type CloseRunsInput = RunClosing & {
  readonly unfinished: readonly UnfinishedRun[];
  readonly pullRequest: PullRequest;
  /** The head whose check another run continues; null when there is none. */
  readonly keptHead: string | null;
};

export type CloseRunsDeps = {
  readonly session: ForgeSession;
  readonly database: Database;
  readonly now: () => number;
  readonly log: Log;
};

/** Closes every unfinished run of a job and of the jobs it replaced. No other run continues them. */
export async function closeAllUnfinished(
  { job, number }: { readonly job: Job; readonly number: number },
  closing: RunClosing,
  deps: CloseRunsDeps & { readonly queue: Pick<Queue, "supersededBy"> },
): Promise<void> {
  const unfinished = await findUnfinishedRuns(await gatherRequests(job, deps.queue), deps.database);
  if (!unfinished.some(({ isOpen }) => isOpen)) return;
  const pullRequest = await deps.session.readPullRequest(number);
  await closeUnfinishedRuns({ ...closing, unfinished, pullRequest, keptHead: null }, deps);
}

/** Ends a job whose pull request was closed before its review. An earlier attempt may have started a check. */
export async function closeForClosedPullRequest(
  { number }: ReviewJob,
  {
    context,
    ...deps
  }: Omit<CloseRunsDeps, "log"> & {
    readonly queue: Pick<Queue, "supersededBy">;
    readonly context: Pick<JobContext, "job" | "log">;
  },
): Promise<JobOutcome> {
  const { job, log } = context;
  const reason = "skipped:closed";
  const message = "The pull request was closed before its review finished.";
  await closeAllUnfinished({ job, number }, { status: "skipped", reason, message }, { ...deps, log });
  return { state: "skipped", reason };
}

/**
 * Closes the runs that this one replaces. The new run continues the check on its head; checks on older heads are
 * concluded here because their own runs can't do it any more.
 */
export async function closeReplacedRuns(
  {
    unfinished,
    pullRequest,
    run,
  }: Pick<CloseRunsInput, "unfinished" | "pullRequest"> & { readonly run: { readonly id: number } },
  { context, ...deps }: Omit<CloseRunsDeps, "log"> & { readonly context: Pick<JobContext, "job" | "log"> },
): Promise<void> {
  const others = unfinished.filter(({ id }) => id !== run.id);
  const reason = `superseded-by:${context.job.id}`;
  const message = "A newer commit or request replaced this review.";
  const closing = { status: "superseded", reason, message } as const;
  await closeUnfinishedRuns(
    { ...closing, unfinished: others, pullRequest, keptHead: pullRequest.head },
    { ...deps, log: context.log },
  );
}

/** Throws retryable errors, so that the job is retried. Other errors are logged and don't block the next review. */
export async function closeUnfinishedRuns(input: CloseRunsInput, deps: CloseRunsDeps): Promise<void> {
  const { status, reason } = input;
  for (const { id, head } of input.unfinished.filter(({ isOpen }) => isOpen)) {
    try {
      if (head !== input.keptHead) await concludeCheck(head, input, deps);
    } catch (error) {
      if (error instanceof KodiaiError && error.retryable) throw error;
      deps.log.warn("concluding the check failed", { error: messageOf(error) });
    }
    const end = { status, reason, finishedAt: deps.now(), findingsTotal: 0, findingsReported: 0 };
    await finishRun(id, end, deps.database);
  }
}

/** Concludes a check that is in progress. Never creates one. */
async function concludeCheck(
  head: string,
  { pullRequest, message }: CloseRunsInput,
  { session, database, now }: CloseRunsDeps,
): Promise<void> {
  const { repositoryRef, number } = pullRequest;
  const { repositoryId } = repositoryRef;
  const journal = createPublicationJournal(database, {
    repositoryId,
    pullRequest: number,
    head,
    request: "",
    now,
  });
  const check = await journal.read("check");
  if (check === null || check.state === "published") return;
  const notice = { conclusion: "cancelled", title: message, summary: message } as const;
  await session.concludeCheck({ ...pullRequest, head }, notice, journal);
}
