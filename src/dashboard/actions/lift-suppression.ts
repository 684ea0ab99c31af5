/** Undoes a suppression, as `kodiai memory forget` does: its findings are reported again. */
import { forgetItems } from "../../jobs/memory/forget-memory.ts";
import { readSuppression } from "../../store/repositories/memory-records.ts";
import { type DashboardAction, numberIn } from "./action.ts";

export const liftSuppression: DashboardAction = {
  name: "lift-suppression",
  needs: "write",
  async findTarget(form, { database }) {
    const id = numberIn(form, "suppression");
    const found = id === null ? null : await readSuppression(id, database);
    return found === null ? null : { label: `suppression s${found.id}`, repositoryId: found.repositoryId };
  },
  async perform(form, _, { database, now, by }) {
    const id = numberIn(form, "suppression") ?? 0;
    const missing = await forgetItems([{ kind: "suppression", id }], { by, at: now(), database });
    if (missing !== null) return { kind: "refused", text: `Suppression s${id} was lifted before.` };
    const text = `Suppression s${id} is lifted. These findings are reported again, and earlier feedback on them doesn't count any more.`;
    return { kind: "done", text };
  },
};
