/** Plans jobs for the pull requests whose reactions are due to be read. */
import type { JobRequest, Queue } from "../../queue/queue.ts";
import type { Database } from "../../store/database.ts";
import { takeDuePolls } from "../../store/repositories/feedback-polls.ts";
import { readHostedNumber } from "../../store/repositories/repository-ids.ts";
import { planLearn } from "./learn-job.ts";

/** Per run of the reconciler, every five minutes. Each job makes a few requests, of at least 5,000 an hour. */
const MAX_POLLS = 50;

/** A job that finishes sets the time itself. One that fails for good is planned again after this. */
const PUT_OFF_MS = 3 * 60 * 60 * 1_000;

export type PlanPollsDeps = {
  readonly database: Database;
  readonly queue: Queue;
  readonly now: () => number;
};

/** Returns how many jobs are new. */
export async function planDuePolls({ database, queue, now }: PlanPollsDeps): Promise<number> {
  const at = now();
  const enqueued = await database.transaction(async (sql) => {
    const due = await takeDuePolls({ now: at, putOffUntil: at + PUT_OFF_MS, limit: MAX_POLLS }, sql);
    const requests: JobRequest[] = [];
    for (const { repositoryId, installationId, repository, pullRequest, nextAt } of due) {
      const [owner = "", name = ""] = repository.split("/");
      const key = await readHostedNumber(repositoryId, sql);
      const repositoryRef = { ...key, installationId, repositoryId, owner, name };
      requests.push(planLearn({ repositoryRef, number: pullRequest, name: `due/${nextAt}` }));
    }
    return requests.length === 0 ? [] : queue.enqueue(requests, sql);
  });
  if (enqueued.length > 0) queue.wake();
  return enqueued.filter(({ isNew }) => isNew).length;
}
