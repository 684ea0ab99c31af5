/** Gathers the context for judging findings: configuration, earlier reviews, tooling. */
import { hasTooling } from "../../review/analysis/tooling.ts";
import type { Context } from "../../review/context/context.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { JudgingContext } from "../../review/findings/rules/rule.ts";
import { isToolingMatter } from "../../review/findings/rules/tooling.ts";
import type { PreparedReview } from "./prepare-review.ts";

export async function gatherJudgingContext(
  findings: readonly Finding[],
  { config, analysis, listing }: Pick<PreparedReview, "config" | "analysis" | "listing">,
  { prior }: Pick<Context, "prior">,
): Promise<JudgingContext> {
  const paths = findings.some(isToolingMatter) ? await listing() : null;
  return {
    analysis,
    config: config.tree,
    prior,
    suppressedByFeedback: () => null,
    hasTooling: paths !== null && hasTooling(paths),
  };
}
