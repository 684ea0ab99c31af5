/**
 * The record of a run, from its start to its end, and questions about the runs of a pull request. No other module of the program reads
 * or writes the rows of runs, so a run begins and ends here.
 */
import type { RepositoryRef } from "../../forge/forge.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { Sql } from "../../store/database.ts";
import {
  claimRun,
  finishRun,
  hasOutcome,
  isSummaryOfSkipped,
  lastCompletedRun,
  MODEL_UNAVAILABLE,
  type OutageRun,
  readOutageRuns,
  readRunsFinishedSince,
  readRunsOfJob,
  type RunEnd,
} from "../../store/repositories/runs.ts";
import type { Run } from "../../store/repositories/to-run.ts";
import type { RowStore } from "../job-store.ts";
import { hadOutage } from "./had-outage.ts";

export type RunRecord = Run & {
  /** A completed run stays as it is: a worker that lost its lease changes nothing. Pass `sql` within a transaction. */
  readonly finish: (ending: RunEnding, sql?: Sql) => Promise<void>;
};

export type RunEnding = Pick<RunEnd, "status" | "reason" | "mode"> & {
  /** Left out: nothing was found or reported. */
  readonly findings?: { readonly total: number; readonly reported: number };
};

export type RunStart = Pick<Run, "jobId" | "pullRequest" | "base" | "head" | "triggers"> & {
  readonly repositoryRef: RepositoryRef;
};

/** Starts a run, or resumes the one that an earlier attempt of the same job started for the same head. */
export async function startRun({ repositoryRef, ...start }: RunStart, store: RowStore): Promise<RunRecord> {
  const { installationId, repositoryId, owner, name } = repositoryRef;
  const repository = `${owner}/${name}`;
  const startedAt = store.now();
  return toRecord(
    await claimRun({ ...start, installationId, repositoryId, repository, startedAt }, store.database),
    store,
  );
}

/** Oldest first. */
export async function readRunRecords(jobId: number, store: RowStore): Promise<readonly RunRecord[]> {
  return (await readRunsOfJob(jobId, store.database)).map((run) => toRecord(run, store));
}

function toRecord(run: Run, { database, now }: RowStore): RunRecord {
  return {
    ...run,
    async finish({ findings = { total: 0, reported: 0 }, ...ending }, sql = database) {
      const { total: findingsTotal, reported: findingsReported } = findings;
      await finishRun(run.id, { ...ending, finishedAt: now(), findingsTotal, findingsReported }, sql);
    },
  };
}

/** A review that a model couldn't finish is still published, and its reason records that. After an outage it is taken up again. */
export function reasonOfPublished({
  conclusion,
  passes,
}: Pick<Publication, "conclusion" | "passes">): string {
  if (hadOutage(passes)) return MODEL_UNAVAILABLE;
  return conclusion === "complete" ? "published" : conclusion;
}

/** Answers questions about the runs of a pull request. Each one is a query. */
export function runsOfPullRequest(
  { repositoryId, pullRequest }: Pick<Run, "repositoryId" | "pullRequest">,
  sql: Sql,
) {
  const last = (): Promise<Run | null> => lastCompletedRun(repositoryId, pullRequest, sql);
  return {
    isReviewed: async () => (await last()) !== null,
    /** Whether the head was reviewed or deliberately skipped. A refused request doesn't count. */
    hasOutcome: (head: string) => hasOutcome({ repositoryId, pullRequest, head }, sql),
    /** Whether the last review is of this head, and an outage left it without the model. */
    async isModelOwed(head: string) {
      const run = await last();
      return run !== null && run.head === head && run.reason === MODEL_UNAVAILABLE;
    },
    /** Whether the last review is of this head, and nothing kept it from being complete. */
    async isReviewedWhole(head: string) {
      const run = await last();
      return run !== null && run.head === head && run.status === "completed" && run.reason === "published";
    },
    /** The reviews that finished after `sinceMs`, oldest first. */
    finishedSince: (sinceMs: number) => readRunsFinishedSince({ repositoryId, pullRequest, sinceMs }, sql),
    /** Whether the summary comes from a skipped review that no later review has replaced. */
    isSummaryOfSkipped: () => isSummaryOfSkipped(repositoryId, pullRequest, sql),
  };
}

/** The last reviews of their pull requests that an outage left without the model, newest first. */
export function findRunsInOutage(
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
  sql: Sql,
): Promise<readonly OutageRun[]> {
  return readOutageRuns({ trigger: "model-back", sinceMs, limit }, sql);
}
