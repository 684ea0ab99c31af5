/** Lets everything review a change: built-in rules and linters first, then the chosen models, which see what those found. */
import { count } from "../../base/count.ts";
import type { Context } from "../../review/context/context.ts";
import { withDisputes } from "../../review/findings/disputable.ts";
import type { SarifReport } from "../../review/findings/sarif-report.ts";
import type { Reviewed } from "../../review/publication/reviewed.ts";
import type { Degradations } from "../gathering/optional.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import type { ReviewDeps } from "../gathering/prepare-review.ts";
import type { AvailableModels, ModelAccess } from "../model-review/model-access.ts";
import type { ModelSession } from "../model-review/model-session.ts";
import type { ModelDeps } from "../model-review/model-review-task.ts";
import { reviewWithChosen } from "./review-with-chosen.ts";

export type ReviewInput = {
  readonly prepared: PreparedReview;
  readonly context: Context;
  readonly chosen: AvailableModels;
  readonly access: ModelAccess;
};

export async function reviewWithAll(
  { prepared, context, chosen, access }: ReviewInput,
  deps: ModelDeps & Pick<ReviewDeps, "knowledge">,
): Promise<{ readonly reviewed: Reviewed; readonly session: ModelSession | null }> {
  const { sarif, degradations } = prepared;
  const { report, gaps, ...rules } = await deps.knowledge.reviewWithRules(prepared, context.dependencies);
  noteUnusable(sarif, degradations);
  const evidence = [...rules.findings, ...sarif.flatMap(({ findings }) => findings)];
  const { review, noModel, session } = await reviewWithChosen(
    { prepared, context, evidence, chosen, access },
    deps,
  );
  const reviewed: Reviewed = {
    findings: [...withDisputes(evidence, review.disputes), ...review.findings],
    coverage: {
      ...rules.coverage,
      byModel: review.byModel,
      skimmed: review.skimmed,
      gaps: [...gaps, ...review.gaps],
    },
    passes: [report, ...review.passes],
    rules: rules.rules,
    rulesForAll: rules.rulesForAll,
    analysers: rules.analysers,
    sarif,
    answers: review.answers,
    overview: review.overview,
    cutOffUsd: review.cutOffUsd,
    verification: null,
    noModel,
  };
  return { reviewed, session };
}

/** Results that could be about this change, but have no place in it. */
function noteUnusable(reports: readonly SarifReport[], degradations: Degradations): void {
  for (const { file, skipped } of reports) {
    if (skipped.unmapped === 0) continue;
    const are = skipped.unmapped === 1 ? "is" : "are";
    const message = `${count(skipped.unmapped, "result")} ${are} outside the repository. Run the tool in the repository's folder`;
    degradations.note("SARIF", `${file}: ${message}`);
  }
}
