/**
 * Finds unfinished runs of a job and of the jobs it replaced. A job that was waiting or had crashed when it was replaced
 * couldn't close its runs itself.
 */
import type { Sql } from "../../store/database.ts";
import { readRunsOfJob, type Run } from "../../store/repositories/runs.ts";
import type { GatheredRequest } from "../gathering/gather-requests.ts";

export type UnfinishedRun = Pick<Run, "id" | "jobId" | "head"> & {
  /** The run is still recorded as pending or running. */
  readonly isOpen: boolean;
  /** The request that the run was started for. */
  readonly request: string;
};

/** Oldest job first. */
export async function findUnfinishedRuns(
  requests: readonly GatheredRequest[],
  sql: Sql,
): Promise<readonly UnfinishedRun[]> {
  const unfinished: UnfinishedRun[] = [];
  for (const { jobId, request } of requests.toSorted((a, b) => a.jobId - b.jobId)) {
    for (const { id, head, status } of await readRunsOfJob(jobId, sql)) {
      if (status === "completed" || status === "partial") continue;
      unfinished.push({ id, jobId, head, isOpen: status === "running" || status === "pending", request });
    }
  }
  return unfinished;
}

/**
 * Chooses the request under which a head is published; every attempt of a job gets the same one. A replaced job that
 * started on this head may have posted its review and crashed before recording it. Its publication is continued, so that
 * no comment is posted twice. Otherwise a person's request wins, even an inherited one, because it asks for another
 * review of the same head.
 */
export function requestToPublish(
  requests: readonly GatheredRequest[],
  unfinished: readonly UnfinishedRun[],
  head: string,
): string {
  const [own] = requests;
  const started = unfinished.find((run) => run.head === head && run.jobId !== own?.jobId);
  return started?.request ?? requests.find(({ request }) => request !== "")?.request ?? "";
}
