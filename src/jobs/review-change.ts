/**
 * The recipe: a change in, one publication out. It decides nothing itself; each line is a step with a file of its own.
 */
import type { RepoConfig } from "../config/repo-config/schema.ts";
import { describeLanguageReach } from "../config/review-language.ts";
import { judgeFindings } from "../review/findings/judge-findings.ts";
import { composePublication } from "../review/publication/compose/compose-publication.ts";
import { composeReceipt } from "../review/publication/compose/compose-receipt.ts";
import type { Publication } from "../review/publication/publication.ts";
import { gatherJudgingContext } from "./gathering/gather-judging-context.ts";
import { gatherSuggestionContext } from "./gathering/gather-suggestion-context.ts";
import { createDegradations } from "./gathering/optional.ts";
import {
  type PreparedReview,
  prepareReview,
  type ReviewDeps,
  type ReviewRequest,
} from "./gathering/prepare-review.ts";
import { readWithFloor } from "./reading/read-with-floor.ts";
import { readWithModels } from "./reading/read-with-models.ts";

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
  const { change, config, analysis, degradations } = prepared;
  const floor = await (deps.readFloor?.(prepared) ?? readWithFloor(prepared, deps));
  const { review, note } = await readWithModels(prepared, floor.findings, deps);
  const findings = [...floor.findings, ...(review?.findings ?? [])];
  const situation = await gatherJudgingContext(findings, { ...prepared, config: config.tree });
  const suggestions = await gatherSuggestionContext(findings, { ...deps, ...prepared });
  const judgement = judgeFindings(findings, change, situation, suggestions);
  const coverage = { ...floor.coverage, byModel: review?.byModel ?? null };
  const languageNote = describeLanguageReach(config.tree.root.values.review.language);
  const publication = composePublication({
    change,
    analysis,
    ...judgement,
    receipt: composeReceipt(change.files, analysis, coverage),
    degradations: degradations.list(),
    overview: review?.overview ?? [],
    passes: [floor.report, ...(review?.passes ?? [])],
    cutOffUsd: review?.cutOffUsd ?? 0,
    modelNote: note,
    configOrigin: config.origin,
    configProblems: config.problems,
    rulesRun: floor.rulesRun,
    version: deps.version,
    ...(languageNote === null ? {} : { notes: [languageNote] }),
  });
  return { publication, failOn: config.tree.root.values.review.failOn };
}
