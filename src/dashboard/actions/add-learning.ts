/** Adds a learning that a person states, as `kodiai memory add` does. The same text again updates it. */
import { statedLearning } from "../../jobs/memory/stated-learning.ts";
import { putLearning } from "../../store/repositories/learnings.ts";
import type { DashboardAction } from "./action.ts";
import { findRepositoryOfForm } from "./find-repository.ts";
import { MASKED, readLearningForm } from "./learning-form.ts";

export const addLearning: DashboardAction = {
  name: "add-learning",
  needs: "write",
  findTarget: findRepositoryOfForm,
  async perform(form, { repositoryId }, { database, now, by }) {
    const at = now();
    const read = readLearningForm(form, at);
    if ("problem" in read) return { kind: "refused", text: read.problem };
    const { text, ...change } = read.change;
    if (text === undefined) return { kind: "refused", text: "The text can't be empty." };
    const given = { ...statedLearning(text), provenance: null, ...change };
    const id = await database.transaction((sql) =>
      putLearning({ ...given, repositoryId: repositoryId ?? 0, createdBy: by, at }, sql),
    );
    return {
      kind: "done",
      text: `Reviews take learning l${id} into account from now on.${read.isMasked ? MASKED : ""}`,
    };
  },
};
