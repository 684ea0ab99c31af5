/** Closes abandoned runs and concludes their checks, so that no check stays in progress forever. */
import { KodiaiError, messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { ForgeSession, PullRequest } from "../../forge/forge.ts";
import type { Job } from "../../queue/queue.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import { gatherRequests } from "../gathering/gather-requests.ts";
import type { JobStore, RowStore } from "../job-store.ts";
import type { JobOutcome } from "../recipe.ts";
import { findUnfinishedRuns, type UnfinishedRun } from "./find-unfinished-runs.ts";
import type { ReviewAttempt } from "./run-deps.ts";
import type { RunEnding } from "./run-record.ts";

export type RunClosing = Pick<RunEnding, "status" | "reason"> & {
  /** One sentence, shown on the check. */
  readonly message: string;
};

export type RunsToClose = {
  readonly unfinished: readonly UnfinishedRun[];
  readonly pullRequest: PullRequest;
  /** The head whose check another run continues; null when there is none. */
  readonly keptHead: string | null;
};

/** The job that closes runs, and its access to the host. */
export type ClosingJob = {
  readonly job: Job;
  readonly log: Log;
  readonly session: Pick<ForgeSession, "pullRequests" | "checks">;
};

/** Closes every unfinished run of a job and of the jobs it replaced. No other run continues them. */
export async function closeAllUnfinished(
  number: number,
  closing: RunClosing,
  by: ClosingJob,
  store: Pick<JobStore, "database" | "now" | "queue">,
): Promise<void> {
  const unfinished = await findUnfinishedRuns(await gatherRequests(by.job, store.queue), store);
  if (!unfinished.some(({ isOpen }) => isOpen)) return;
  const pullRequest = await by.session.pullRequests.read(number);
  await closeUnfinishedRuns({ unfinished, pullRequest, keptHead: null }, closing, by, store);
}

/** Ends a job whose pull request was closed before its review. An earlier attempt may have started a check. */
export async function closeForClosedPullRequest(
  { reviewJob, session, context: { job, log } }: ReviewAttempt,
  store: JobStore,
): Promise<JobOutcome> {
  const reason = "skipped:closed";
  const message = "The pull request was closed before its review finished.";
  const closing = { status: "skipped", reason, message } as const;
  await closeAllUnfinished(reviewJob.number, closing, { job, log, session }, store);
  return { state: "skipped", reason };
}

/**
 * Closes the runs that this one replaces. The new run continues the check on its head; checks on older heads are
 * concluded here because their own runs can't do it any more.
 */
export async function closeReplacedRuns(
  { unfinished, pullRequest }: Pick<RunsToClose, "unfinished" | "pullRequest">,
  run: { readonly id: number },
  by: ClosingJob,
  store: RowStore,
): Promise<void> {
  const others = unfinished.filter(({ id }) => id !== run.id);
  const reason = `superseded-by:${by.job.id}`;
  const message = "A newer commit or request replaced this review.";
  const closing = { status: "superseded", reason, message } as const;
  const replaced = { unfinished: others, pullRequest, keptHead: pullRequest.head };
  await closeUnfinishedRuns(replaced, closing, by, store);
}

/** Throws retryable errors, so that the job is retried. Other errors are logged and don't block the next review. */
async function closeUnfinishedRuns(
  { unfinished, pullRequest, keptHead }: RunsToClose,
  { status, reason, message }: RunClosing,
  { session, log }: ClosingJob,
  store: RowStore,
): Promise<void> {
  for (const { head, finish } of unfinished.filter(({ isOpen }) => isOpen)) {
    try {
      if (head !== keptHead) await concludeCheck({ ...pullRequest, head }, message, session, store);
    } catch (error) {
      if (error instanceof KodiaiError && error.retryable) throw error;
      log.warn("concluding the check failed", { error: messageOf(error) });
    }
    await finish({ status, reason });
  }
}

/** Concludes a check that is in progress. Never creates one. */
async function concludeCheck(
  pullRequest: PullRequest,
  message: string,
  { checks }: ClosingJob["session"],
  { database, now }: RowStore,
): Promise<void> {
  const { repositoryRef, number, head } = pullRequest;
  const { repositoryId } = repositoryRef;
  const scope = { repositoryId, pullRequest: number, head, request: "", now };
  const journal = createPublicationJournal(database, scope);
  const check = await journal.read("check");
  if (check === null || check.state === "published") return;
  await checks.conclude(pullRequest, { conclusion: "cancelled", title: message, summary: message }, journal);
}
