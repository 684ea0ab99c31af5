/** The reviewers after the floor: the models that were chosen, or the word why there is none. */
import type { Finding } from "../../review/findings/finding.ts";
import type { ModelReview } from "../model-review/review-with-models.ts";
import type { PreparedReview, ReviewDeps } from "../gathering/prepare-review.ts";

/** Of models that were chosen. */
const NOTHING_TO_READ = "not asked: nothing in the change for it to read";
const SKIPPED = "not used: the review is skipped";

export type ModelReading = {
  /** Null when no model was chosen, or when nothing changed. */
  readonly review: ModelReview | null;
  /** Why no model took part, and how to have one; null when one was asked. */
  readonly note: string | null;
};

export async function readWithModels(
  prepared: PreparedReview,
  evidence: readonly Finding[],
  deps: ReviewDeps,
): Promise<ModelReading> {
  const { change, analysis, config, degradations } = prepared;
  if (analysis.skippedBecause !== null) return { review: null, note: SKIPPED };
  const { models, note, problems, isWithheld } = await deps.models.choose(config.tree.root.values);
  for (const problem of problems) degradations.note("model", problem);
  if (isWithheld === true && change.files.length > 0) return { review: await withhold(prepared), note };
  if (models.length === 0) return { review: null, note };
  if (change.files.length === 0) return { review: null, note: NOTHING_TO_READ };
  // Prompts, tools and their schemas are of no use to a review without a model.
  const { reviewWithModels } = await import("../model-review/review-with-models.ts");
  const review = await reviewWithModels({ prepared, evidence, models, access: deps.models }, deps);
  return { review, note: review.parts === 0 ? NOTHING_TO_READ : null };
}

/** What a model would have read is listed as not read by one: a limit must not look like a whole review. */
async function withhold({ change, analysis }: PreparedReview): Promise<ModelReview> {
  const { modelPassesOf } = await import("../model-review/review-with-models.ts");
  const passes = modelPassesOf(change, analysis);
  const byModel = new Map(
    passes.flatMap(({ paths }) => paths.map((path) => [path, "limit:requests"] as const)),
  );
  return { parts: passes.length, findings: [], passes: [], overview: [], cutOffUsd: 0, byModel };
}
