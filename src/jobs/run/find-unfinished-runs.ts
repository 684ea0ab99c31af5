/**
 * What earlier work on a pull request has left unfinished: runs of this job, and of those whose place it took. A job that
 * waited or died when it was replaced could not end them itself.
 */
import type { Sql } from "../../store/database.ts";
import { readRunsOfJob, type Run } from "../../store/repositories/runs.ts";
import type { GatheredRequest } from "../gathering/gather-requests.ts";

export type UnfinishedRun = Pick<Run, "id" | "jobId" | "head"> & {
  /** Nobody has said yet that it is over. */
  readonly isOpen: boolean;
  /** The request that it would have answered. */
  readonly request: string;
};

/** Oldest job first. */
export async function findUnfinishedRuns(
  requests: readonly GatheredRequest[],
  sql: Sql,
): Promise<readonly UnfinishedRun[]> {
  const left: UnfinishedRun[] = [];
  for (const { jobId, request } of requests.toSorted((a, b) => a.jobId - b.jobId)) {
    for (const { id, head, status } of await readRunsOfJob(jobId, sql)) {
      if (status === "completed" || status === "partial") continue;
      left.push({ id, jobId, head, isOpen: status === "running" || status === "pending", request });
    }
  }
  return left;
}

/**
 * Under which request a head is published: the same at every attempt of a job. A replaced job that had begun with this
 * head may have written its review and died before it could say so: its publication is gone on with, so that nothing is
 * said twice. Otherwise a person's request counts, also one that was inherited, since it asks for another review of the
 * same head.
 */
export function requestToPublish(
  requests: readonly GatheredRequest[],
  left: readonly UnfinishedRun[],
  head: string,
): string {
  const [own] = requests;
  const begun = left.find((run) => run.head === head && run.jobId !== own?.jobId);
  return begun?.request ?? requests.find(({ request }) => request !== "")?.request ?? "";
}
