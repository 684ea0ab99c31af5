/** Ends runs that nobody goes on with, and the checks that they began: nothing may seem to be under way for ever. */
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
  /** One sentence for people who see the check. */
  readonly message: string;
};

export type CloseRunsInput = RunClosing & {
  readonly left: readonly UnfinishedRun[];
  readonly pullRequest: PullRequest;
  /** The head whose check another run goes on with; null when there is none. */
  readonly keptHead: string | null;
};

export type CloseRunsDeps = {
  readonly session: ForgeSession;
  readonly database: Database;
  readonly now: () => number;
  readonly log: Log;
};

/** Everything that a job and those it replaced have left; nobody goes on with any of it. */
export async function closeAllUnfinished(
  { job, number }: { readonly job: Job; readonly number: number },
  ending: RunClosing,
  deps: CloseRunsDeps & { readonly queue: Pick<Queue, "supersededBy"> },
): Promise<void> {
  const left = await findUnfinishedRuns(await gatherRequests(job, deps.queue), deps.database);
  if (!left.some(({ isOpen }) => isOpen)) return;
  const pullRequest = await deps.session.readPullRequest(number);
  await closeUnfinishedRuns({ ...ending, left, pullRequest, keptHead: null }, deps);
}

/** The pull request was closed before its review: an earlier attempt may have begun a check. */
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
  const message = "The pull request was closed before its review was done";
  await closeAllUnfinished({ job, number }, { status: "skipped", reason, message }, { ...deps, log });
  return { state: "skipped", reason };
}

/** A run goes on with the check of its head; those of older heads were begun by somebody who could not end them. */
export async function closeReplacedRuns(
  {
    left,
    pullRequest,
    run,
  }: Pick<CloseRunsInput, "left" | "pullRequest"> & { readonly run: { readonly id: number } },
  { context, ...deps }: Omit<CloseRunsDeps, "log"> & { readonly context: Pick<JobContext, "job" | "log"> },
): Promise<void> {
  const others = left.filter(({ id }) => id !== run.id);
  const reason = `superseded-by:${context.job.id}`;
  const message = "A newer commit or request took its place.";
  const ending = { status: "superseded", reason, message } as const;
  await closeUnfinishedRuns(
    { ...ending, left: others, pullRequest, keptHead: pullRequest.head },
    { ...deps, log: context.log },
  );
}

/** Throws what may pass: the job is then tried again. What may not is logged, and keeps nobody from their review. */
export async function closeUnfinishedRuns(input: CloseRunsInput, deps: CloseRunsDeps): Promise<void> {
  const { status, reason } = input;
  for (const { id, head } of input.left.filter(({ isOpen }) => isOpen)) {
    try {
      if (head !== input.keptHead) await concludeCheck(head, input, deps);
    } catch (error) {
      if (error instanceof KodiaiError && error.retryable) throw error;
      deps.log.warn("check could not be ended", {
        error: messageOf(error),
      });
    }
    const end = { status, reason, finishedAt: deps.now(), findingsTotal: 0, findingsTold: 0 };
    await finishRun(id, end, deps.database);
  }
}

/** A check that nobody has seen is not created for this. */
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
