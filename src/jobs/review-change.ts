/**
 * The recipe: a change in, one publication out. It decides nothing itself; each line is a step with a file of its own.
 */
import type { RepoConfig } from "../config/repo-config/schema.ts";
import { judgeFindings } from "../review/findings/judge-findings.ts";
import { composePublication } from "../review/publication/compose-publication.ts";
import { composeReceipt } from "../review/publication/compose-receipt.ts";
import type { Publication } from "../review/publication/publication.ts";
import { gatherSituation } from "./steps/gather-situation.ts";
import { gatherSuggestionContext } from "./steps/gather-suggestion-context.ts";
import { createDegradations } from "./steps/optional.ts";
import {
  type PreparedReview,
  prepareReview,
  type ReviewDeps,
  type ReviewRequest,
} from "./steps/prepare-review.ts";
import { runFloor } from "./steps/run-floor.ts";

export type ReviewResult = {
  readonly publication: Publication;
  /** `review.failOn` of the repository. */
  readonly failOn: RepoConfig["review"]["failOn"];
};

export async function reviewChange(request: ReviewRequest, deps: ReviewDeps): Promise<ReviewResult> {
  const degradations = createDegradations(deps.signal);
  return reviewPrepared(await prepareReview(request, { ...deps, degradations }), deps);
}

export async function reviewPrepared(prepared: PreparedReview, deps: ReviewDeps): Promise<ReviewResult> {
  const { change, config, analysis, listing, degradations } = prepared;
  const endsAt = deps.now() + analysis.timeBudgetSeconds * 1000;
  const floor = await runFloor(
    { change, analysis, config: config.tree, listing },
    {
      ...deps,
      degradations,
      isLate: () => deps.now() > endsAt,
      onProgress: (done, total) => deps.onProgress("reading", done, total),
    },
  );
  const situation = await gatherSituation(floor.findings, { ...prepared, config: config.tree });
  const suggestions = await gatherSuggestionContext(floor.findings, { ...deps, change, degradations });
  const judgement = judgeFindings(floor.findings, change, situation, suggestions);
  const publication = composePublication({
    change,
    analysis,
    ...judgement,
    receipt: composeReceipt(change.files, analysis, floor.coverage),
    degradations: degradations.list(),
    usage: null,
    reviewer: "floor",
    configOrigin: config.origin,
    configProblems: config.problems,
    rulesRun: floor.rulesRun,
    version: deps.version,
  });
  return { publication, failOn: config.tree.root.values.review.failOn };
}
