/** Runs the chosen models after the built-in rules, or gives the reason why no model is used. */
import type { NoModelReason } from "../../model/no-model-reason.ts";
import type { Context } from "../../review/context/context.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { MODEL_PROBLEM } from "../../review/publication/model-problem.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import type { AvailableModels, ModelAccess } from "../model-review/model-access.ts";
import type { ModelDeps } from "../model-review/model-review-task.ts";
import type { ModelSession } from "../model-review/model-session.ts";
import type { ModelReview } from "../model-review/review-with-models.ts";

const SKIPPED: AvailableModels = { models: [], noModel: "skipped", problems: [] };

export async function chooseForReview(
  { analysis, config, degradations }: PreparedReview,
  { choice }: Pick<ModelAccess, "choice">,
): Promise<AvailableModels> {
  if (analysis.skippedBecause !== null) return SKIPPED;
  const chosen = await choice.choose(config.tree.root.values);
  for (const problem of chosen.problems) degradations.note(MODEL_PROBLEM, problem);
  return chosen;
}

const NOT_REVIEWED: ModelReview = {
  parts: 0,
  findings: [],
  disputes: new Map(),
  answers: new Map(),
  passes: [],
  overview: [],
  gaps: [],
  cutOffUsd: 0,
  skimmed: new Map(),
  byModel: null,
};

export type ChosenInput = {
  readonly prepared: PreparedReview;
  readonly context: Context;
  /** Findings of the built-in rules. */
  readonly evidence: readonly Finding[];
  readonly chosen: AvailableModels;
  readonly access: ModelAccess;
};

export type ChosenReview = {
  readonly review: ModelReview;
  /** Why no model was used; null when one was. */
  readonly noModel: NoModelReason | null;
  /** Null when no model was used. */
  readonly session: ModelSession | null;
};

export async function reviewWithChosen(input: ChosenInput, deps: ModelDeps): Promise<ChosenReview> {
  const { models, noModel } = input.chosen;
  const hasFiles = input.prepared.change.files.length > 0;
  const [first, ...others] = models;
  if (noModel === "withheld" && hasFiles)
    return { review: await withhold(input.prepared), noModel, session: null };
  if (first === undefined) return { review: NOT_REVIEWED, noModel, session: null };
  if (!hasFiles) return { review: NOT_REVIEWED, noModel: "nothing-to-read", session: null };
  // Imported only here: a review without a model needs no prompts, tools or schemas.
  const [{ openModelSession }, { reviewWithModels }] = await Promise.all([
    import("../model-review/model-session.ts"),
    import("../model-review/review-with-models.ts"),
  ]);
  const { prepared, context, evidence, access } = input;
  const session = await openModelSession([first, ...others], prepared, access);
  const review = await reviewWithModels({ prepared, context, evidence, session }, deps);
  return { review, noModel: review.parts === 0 ? "nothing-to-read" : null, session };
}

/** Lists what a model would have read as not read by one, so that a limit doesn't look like a complete review. */
async function withhold({ change, analysis }: PreparedReview): Promise<ModelReview> {
  const { modelPassesOf } = await import("../model-review/review-with-models.ts");
  const passes = modelPassesOf(change, analysis);
  const byModel = new Map(
    passes.flatMap(({ paths }) => paths.map((path) => [path, "limit:requests"] as const)),
  );
  return { ...NOT_REVIEWED, parts: passes.length, byModel };
}
