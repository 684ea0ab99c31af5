/** The queue: jobs that no worker takes, workers that disappeared, and jobs that failed. */
import { count } from "../../base/count.ts";
import { DAY_MS } from "../../base/day-ms.ts";
import type { Job, QueueStats } from "../../queue/queue.ts";
import { type CheckFinding, type DoctorCheck, failure, fine, warning } from "../check.ts";
import type { OpenRecords, WorkerFacts } from "../records-access.ts";

/** As for readiness (`readiness.ts`): a worker takes a job within seconds. */
const MAX_READY_AGE_MS = 15 * 60 * 1_000;

const MINUTE_MS = 60_000;

/** Jobs are listed newest first. */
const MAX_FAILED = 100;

export function createQueueCheck(openRecords: OpenRecords): DoctorCheck {
  return {
    name: "queue",
    async run() {
      const opened = await openRecords("The queue");
      if (opened.kind === "closed") return opened.findings;
      const { queue, readWorkers, now } = opened.records;
      const [stats, workers, failed] = await Promise.all([
        queue.stats(),
        readWorkers(),
        queue.list({ states: ["failed"], limit: MAX_FAILED }),
      ]);
      const recent = failed.filter(({ finishedAt }) => (finishedAt ?? 0) > now() - DAY_MS);
      return judgeQueue(stats, workers, recent);
    },
  };
}

/** `failed`: those of the last day, newest first. */
export function judgeQueue(
  { queued, running, oldestReadyMs }: QueueStats,
  { alive, lostJobs }: WorkerFacts,
  failed: readonly Pick<Job, "id" | "reason">[],
): readonly CheckFinding[] {
  const found: CheckFinding[] = [];
  if ((oldestReadyMs ?? 0) > MAX_READY_AGE_MS)
    found.push(
      failure("queue-stuck", {
        what: `A job has been waiting for ${count(Math.round((oldestReadyMs ?? 0) / MINUTE_MS), "minute")}; ${describeWorkers(alive)}.`,
        remedy: "Start `kodiai serve` or `kodiai worker` with this DATABASE_URL, or more of them.",
      }),
    );
  if (lostJobs > 0)
    found.push(
      warning("queue-worker-lost", {
        what: `${count(lostJobs, "running job")} got no heartbeat in time: a worker crashed or was killed.`,
        remedy: "Another worker takes the job over. Look at the log of the worker that ended.",
      }),
    );
  const [newest] = failed;
  if (newest !== undefined)
    found.push(
      warning("queue-jobs-failed", {
        what: `${count(failed.length, "job")} failed in the last day, job ${newest.id} last with ${newest.reason ?? "no reason"}.`,
        remedy: `Run \`kodiai jobs show ${newest.id}\`; after a fix, \`kodiai jobs retry ${newest.id}\`.`,
      }),
    );
  if (found.length > 0) return found;
  const work = `${count(queued, "job")} queued and ${running} running`;
  return [fine(`${work}; ${describeWorkers(alive)}.`)];
}

/** Nothing is said about workers without a job. */
function describeWorkers(alive: number): string {
  return alive === 0
    ? "no worker is running a job now"
    : `${count(alive, "worker is", "workers are")} running jobs`;
}
