/** Reviews that are running now, with their step and age. */
import { DAY_MS } from "../../base/day-ms.ts";
import { listRunning } from "../../store/repositories/listed-reviews.ts";
import type { ReadableRepositories } from "../../store/repositories/readable.ts";
import type { Run } from "../../store/repositories/to-run.ts";
import type { PageDeps } from "../page.ts";

export type RunningReview = Run & { readonly step: string | null };

/** A review takes minutes. One that started earlier was interrupted, and its job is started again. */
const MAX_AGE_MS = DAY_MS;

/** More don't fit on a screen. */
const MAX_SHOWN = 20;

export async function readRunning(
  readable: ReadableRepositories,
  { database, queue, now }: Pick<PageDeps, "database" | "queue" | "now">,
): Promise<readonly RunningReview[]> {
  const runs = await listRunning({ readable, sinceMs: now() - MAX_AGE_MS, limit: MAX_SHOWN }, database);
  const jobs = await Promise.all(runs.map(({ jobId }) => queue.read(jobId)));
  return runs.flatMap((run, index) => {
    const job = jobs[index];
    // A run whose worker crashed stays as it was until its job runs again.
    return job?.state === "running" ? [{ ...run, step: job.step }] : [];
  });
}
