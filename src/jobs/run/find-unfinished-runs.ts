/**
 * Finds unfinished runs of a job and of the jobs it replaced. A job that was waiting or had crashed when it was replaced
 * couldn't close its runs itself.
 */
import type { GatheredRequest } from "../gathering/gather-requests.ts";
import type { RowStore } from "../job-store.ts";
import { readRunRecords, type RunRecord } from "./run-record.ts";

export type UnfinishedRun = Pick<RunRecord, "id" | "jobId" | "head" | "finish"> & {
  /** The run is still recorded as pending or running. */
  readonly isOpen: boolean;
  /** The request that the run was started for. */
  readonly request: string;
};

/** Oldest job first. */
export async function findUnfinishedRuns(
  requests: readonly GatheredRequest[],
  store: RowStore,
): Promise<readonly UnfinishedRun[]> {
  const unfinished: UnfinishedRun[] = [];
  for (const { jobId, request } of requests.toSorted((a, b) => a.jobId - b.jobId)) {
    for (const { id, head, status, finish } of await readRunRecords(jobId, store)) {
      if (status === "completed" || status === "partial") continue;
      const isOpen = status === "running" || status === "pending";
      unfinished.push({ id, jobId, head, finish, isOpen, request });
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
