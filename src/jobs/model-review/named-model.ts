/** A model that a setting names for one task, such as triage: it alone will do, so no other one replaces it. */
import type { AvailableModels, NamedModel } from "./model-access.ts";

/** Finds it among the loaded ones, which may be others. */
export function findNamed(
  name: string,
  { models, problems }: Pick<AvailableModels, "models" | "problems">,
): NamedModel {
  const model = models.find(({ id }) => id === name);
  if (model !== undefined) return { kind: "loaded", model };
  return { kind: "unavailable", problem: problems[0] ?? `${name} can't be used` };
}
