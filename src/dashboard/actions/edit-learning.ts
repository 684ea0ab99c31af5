/** Changes a learning, as `kodiai memory edit` does. */
import { updateLearning } from "../../store/repositories/learnings.ts";
import { type DashboardAction, numberIn } from "./action.ts";
import { findLearning, MASKED, readLearningForm } from "./learning-form.ts";

export const editLearning: DashboardAction = {
  name: "edit-learning",
  needs: "write",
  findTarget: findLearning,
  async perform(form, _, { database, now }) {
    const id = numberIn(form, "learning") ?? 0;
    const at = now();
    const read = readLearningForm(form, at);
    if ("problem" in read) return { kind: "refused", text: read.problem };
    if (Object.keys(read.change).length === 0) return { kind: "refused", text: "The form had no new value." };
    if (!(await updateLearning(id, { ...read.change, at }, database)))
      return { kind: "refused", text: `Learning l${id} was forgotten in the meantime.` };
    return { kind: "done", text: `Learning l${id} is changed.${read.isMasked ? MASKED : ""}` };
  },
};
