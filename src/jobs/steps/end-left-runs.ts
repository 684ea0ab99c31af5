/** Ends runs that nobody goes on with, and the checks that they began: nothing may seem to be under way for ever. */
import { KodiaiError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { ForgeSession, PullRequest } from "../../forge/forge.ts";
import type { Job, Queue } from "../../queue/queue.ts";
import type { Database } from "../../store/database.ts";
import { createLedger } from "../../store/repositories/publications.ts";
import { finishRun, type RunEnd } from "../../store/repositories/runs.ts";
import { gatherLeftRuns, type LeftRun } from "./gather-left-runs.ts";
import { gatherRequests } from "./gather-requests.ts";

export type Ending = {
  readonly status: RunEnd["status"];
  readonly reason: string;
  /** One sentence for people who see the check. */
  readonly message: string;
};

export type LeftInput = Ending & {
  readonly left: readonly LeftRun[];
  readonly pullRequest: PullRequest;
  /** The head whose check another run goes on with; null when there is none. */
  readonly keptHead: string | null;
};

export type LeftDeps = {
  readonly session: ForgeSession;
  readonly database: Database;
  readonly now: () => number;
  readonly log: Log;
};

/** Everything that a job and those it replaced have left; nobody goes on with any of it. */
export async function endAllLeft(
  { job, number }: { readonly job: Job; readonly number: number },
  ending: Ending,
  deps: LeftDeps & { readonly queue: Pick<Queue, "supersededBy"> },
): Promise<void> {
  const left = await gatherLeftRuns(await gatherRequests(job, deps.queue), deps.database);
  if (!left.some(({ isOpen }) => isOpen)) return;
  const pullRequest = await deps.session.readPullRequest(number);
  await endLeftRuns({ ...ending, left, pullRequest, keptHead: null }, deps);
}

/** Throws what may pass: the job is then tried again. What may not is logged, and keeps nobody from their review. */
export async function endLeftRuns(input: LeftInput, deps: LeftDeps): Promise<void> {
  const { status, reason } = input;
  for (const { id, head } of input.left.filter(({ isOpen }) => isOpen)) {
    try {
      if (head !== input.keptHead) await concludeCheck(head, input, deps);
    } catch (error) {
      if (error instanceof KodiaiError && error.retryable) throw error;
      deps.log.warn("check could not be ended", {
        error: error instanceof Error ? error.message : String(error),
      });
    }
    const end = { status, reason, finishedAt: deps.now(), findingsTotal: 0, findingsTold: 0 };
    await finishRun(id, end, deps.database);
  }
}

/** A check that nobody has seen is not created for this. */
async function concludeCheck(
  head: string,
  { pullRequest, message }: LeftInput,
  { session, database, now }: LeftDeps,
): Promise<void> {
  const { place, number } = pullRequest;
  const { repositoryId } = place;
  const ledger = createLedger(database, { repositoryId, pullRequest: number, head, request: "", now });
  const check = await ledger.read("check");
  if (check === null || check.state === "published") return;
  const notice = { conclusion: "cancelled", title: message, summary: message } as const;
  await session.concludeCheck({ ...pullRequest, head }, notice, ledger);
}
