/** Forgets one remembered finding, as `kodiai memory forget` does. */
import { forgetItems } from "../../jobs/memory/forget-memory.ts";
import { readMemory } from "../../store/repositories/memories.ts";
import { type DashboardAction, numberIn } from "./action.ts";

export const forgetMemory: DashboardAction = {
  name: "forget-memory",
  needs: "write",
  async findTarget(form, { database }) {
    const id = numberIn(form, "memory");
    const memory = id === null ? null : await readMemory(id, database);
    return memory === null ? null : { label: `memory m${memory.id}`, repositoryId: memory.repositoryId };
  },
  async perform(form, _, { database, now, by }) {
    const id = numberIn(form, "memory") ?? 0;
    const missing = await forgetItems([{ kind: "memory", id }], { by, at: now(), database });
    if (missing !== null) return { kind: "refused", text: `Memory m${id} was forgotten before.` };
    return { kind: "done", text: `Memory m${id} is forgotten. Reviews don't remember this finding again.` };
  },
};
