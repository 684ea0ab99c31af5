/** Forgets a learning, as `kodiai memory forget` does. */
import { forgetItems } from "../../jobs/memory/forget-memory.ts";
import { type DashboardAction, numberIn } from "./action.ts";
import { findLearning } from "./learning-form.ts";

export const forgetLearning: DashboardAction = {
  name: "forget-learning",
  needs: "write",
  findTarget: findLearning,
  async perform(form, _, { database, now, by }) {
    const id = numberIn(form, "learning") ?? 0;
    const missing = await forgetItems([{ kind: "learning", id }], { by, at: now(), database });
    if (missing !== null) return { kind: "refused", text: `Learning l${id} was forgotten before.` };
    return {
      kind: "done",
      text: `Learning l${id} is forgotten. Reviews don't learn it again from feedback.`,
    };
  },
};
