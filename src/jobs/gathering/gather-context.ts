/** Gathers the context of a change, after its analysis and before the review reads it. */
import { scopeForModel } from "../../review/context/decide-scope.ts";
import type { Context } from "../../review/context/context.ts";
import type { AvailableModels } from "../model-review/model-access.ts";
import type { PreparedReview, ReviewDeps } from "./prepare-review.ts";
import { readGuidelines } from "./read-guidelines.ts";

export async function gatherContext(
  prepared: PreparedReview,
  { models }: Pick<AvailableModels, "models">,
  deps: Pick<ReviewDeps, "repository" | "signal" | "readChecks">,
): Promise<Context> {
  return {
    // Only models read guidelines.
    guidelines: models.length === 0 ? [] : await readGuidelines(prepared, deps),
    readChecks: deps.readChecks ?? null,
    prior: prepared.prior,
    scope: models.length === 0 ? prepared.scope : scopeForModel(prepared.scope),
    memories: [],
    learnings: [],
    dependencies: [],
    relatedCode: [],
  };
}
