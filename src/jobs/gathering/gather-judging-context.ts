/** Gathers the context for judging findings: configuration, earlier reviews, tooling. */
import { hasTooling } from "../../review/analysis/tooling.ts";
import { placesSince } from "../../review/context/decide-scope.ts";
import { locatePrior } from "../../review/findings/match-prior.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { JudgingContext } from "../../review/findings/rules/rule.ts";
import { isToolingMatter } from "../../review/findings/rules/tooling.ts";
import type { PreparedReview } from "./prepare-review.ts";

export async function gatherJudgingContext(
  findings: readonly Finding[],
  { change, config, analysis, listing, prior, scope }: PreparedReview,
): Promise<JudgingContext> {
  const paths = findings.some(isToolingMatter) ? await listing() : null;
  return {
    analysis,
    config: config.tree,
    located: locatePrior(prior, placesSince(change.files, prior)),
    scope,
    suppressedByFeedback: () => null,
    hasTooling: paths !== null && hasTooling(paths),
  };
}
