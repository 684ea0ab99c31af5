/** Gathers the context for judging findings: configuration, earlier reviews, tooling, people's feedback. */
import type { Suppression } from "../../memory/feedback.ts";
import { hasTooling } from "../../review/analysis/tooling.ts";
import { placesSince } from "../../review/context/decide-scope.ts";
import { carryPrior, type CheckProof } from "../../review/findings/carry-prior.ts";
import { locatePrior } from "../../review/findings/match-prior.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { JudgingContext } from "../../review/findings/rules/rule.ts";
import { isToolingMatter } from "../../review/findings/rules/tooling.ts";
import type { PreparedReview } from "./prepared-review.ts";
import type { ReviewDeps } from "./prepare-review.ts";
import { teamMemoryOf } from "./team-memory.ts";

export type GatheredJudging = JudgingContext & {
  /** Suppressions in force in this repository. */
  readonly suppressions: readonly Suppression[];
};

export async function gatherJudgingContext(
  findings: readonly Finding[],
  prepared: PreparedReview,
  proof: CheckProof,
  deps: Pick<ReviewDeps, "teamMemory" | "now">,
): Promise<GatheredJudging> {
  const { change, config, analysis, listing, prior, scope } = prepared;
  const located = locatePrior(prior, placesSince(change.files, prior));
  const paths = findings.some(isToolingMatter) ? await listing() : null;
  return {
    analysis,
    config: config.tree,
    located,
    carriage: carryPrior(located, change.files, proof),
    scope,
    hasTooling: paths !== null && hasTooling(paths),
    ...(await gatherFeedback(prepared, deps)),
  };
}

/** Without memory, or if it can't be read, every finding is judged as it is. */
async function gatherFeedback(
  { config, degradations }: PreparedReview,
  deps: Pick<ReviewDeps, "teamMemory" | "now">,
): Promise<Pick<GatheredJudging, "feedbackOn" | "suppressions">> {
  const memory = teamMemoryOf(config, deps.teamMemory);
  const read = memory === null ? null : await degradations.optional("feedback", () => memory.readFeedback());
  if (read === null) return { feedbackOn: () => null, suppressions: [] };
  const now = deps.now();
  const settings = config.tree.root.values.feedback;
  // Imported only here: without memory, a review needs none of it.
  const { createFeedbackRulings } = await import("./feedback-rulings.ts");
  return createFeedbackRulings(read, settings, now);
}
