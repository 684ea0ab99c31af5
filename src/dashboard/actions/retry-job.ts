/** Queues a job again that failed, was skipped or was cancelled, as `kodiai jobs retry` does. */
import { type DashboardAction, numberIn } from "./action.ts";
import { findJob } from "./find-job.ts";

export const retryJobAction: DashboardAction = {
  name: "retry-job",
  needs: "admin",
  findTarget: findJob,
  async perform(form, _, { queue }) {
    const id = numberIn(form, "job") ?? 0;
    if (await queue.requeue(id)) return { kind: "done", text: `Job ${id} is queued again.` };
    return {
      kind: "refused",
      text: `Job ${id} wasn't queued again: only failed, skipped and cancelled jobs can be.`,
    };
  },
};
