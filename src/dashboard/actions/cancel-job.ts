/** Ends a queued job. A running one stops as soon as it safely can. */
import { type DashboardAction, numberIn } from "./action.ts";
import { findJob } from "./find-job.ts";

export const cancelJobAction: DashboardAction = {
  name: "cancel-job",
  needs: "admin",
  findTarget: findJob,
  async perform(form, _, { queue }) {
    const id = numberIn(form, "job") ?? 0;
    const job = await queue.read(id);
    if (!(await queue.cancel(id, "cancelled:by-hand")))
      return { kind: "refused", text: `Job ${id} had already ended.` };
    const text =
      job?.state === "running" ? `Job ${id} stops as soon as it safely can.` : `Job ${id} is cancelled.`;
    return { kind: "done", text };
  },
};
