/** The recipe for a change: one change in, one publication out. It makes no decisions; each step has its own file. */
import { count } from "../base/count.ts";
import type { RepoConfig } from "../config/repo-config/schema.ts";
import { describeLanguageReach } from "../config/review-language.ts";
import { judgeFindings } from "../review/findings/judge-findings.ts";
import { settlePrior } from "../review/findings/settle-prior.ts";
import { describeGuidelineEdits } from "../rules/lines/guideline-paths.ts";
import { composeMemory } from "../review/publication/compose/compose-memory.ts";
import { composePublication } from "../review/publication/compose/compose-publication.ts";
import { leaveBehind } from "../review/publication/compose/leave-behind.ts";
import { composeReceipt } from "../review/publication/compose/compose-receipt.ts";
import type { Publication } from "../review/publication/publication.ts";
import { RULES_URL } from "../version.ts";
import { gatherContext } from "./gathering/gather-context.ts";
import { gatherJudgingContext } from "./gathering/gather-judging-context.ts";
import { gatherSuggestionContext } from "./gathering/gather-suggestion-context.ts";
import { createDegradations } from "./gathering/optional.ts";
import {
  type PreparedReview,
  prepareReview,
  type ReviewDeps,
  type ReviewRequest,
} from "./gathering/prepare-review.ts";
import type { ModelAccess } from "./model-review/model-access.ts";
import { chooseForReview, reviewWithChosen } from "./reading/review-with-chosen.ts";
import { readingsOfRun, UNCOMMITTED } from "./reading/readings-of-run.ts";
import { reviewWithRules } from "./reading/review-with-rules.ts";
import { proofOf } from "./reading/check-proof.ts";
import type { PriorReview } from "../review/context/prior-review.ts";
import type { Retrieval } from "../review/context/retrieval.ts";
import { digestOf } from "./gathering/gather-config.ts";

export type ReviewResult = {
  readonly publication: Publication;
  /** For the next review of this change. */
  readonly leftBehind: PriorReview;
  /** Null when no similar findings of the past were searched for. */
  readonly retrieval: Retrieval | null;
  /** `review.failOn` of the repository. */
  readonly failOn: RepoConfig["review"]["failOn"];
};

/** A review in two steps, so that a pull request can be skipped in between. A recording wraps both. */
export type ChangeReview = {
  readonly prepare: (request: ReviewRequest) => Promise<PreparedReview>;
  readonly review: (prepared: PreparedReview, models: ModelAccess) => Promise<ReviewResult>;
};

export function createChangeReview(
  deps: ReviewDeps,
  degradations = createDegradations(deps.signal),
): ChangeReview {
  return {
    prepare: (request) => prepareReview(request, { ...deps, degradations }),
    review: (prepared, models) => reviewPrepared(prepared, models, deps),
  };
}

/** Runs both steps, for reviews that can't be skipped. */
export async function reviewChange(
  request: ReviewRequest,
  models: ModelAccess,
  { prepare, review }: ChangeReview,
): Promise<ReviewResult> {
  return review(await prepare(request), models);
}

/** Results that could be about this change, but have no place in it. */
function noteUnusable(reports: PreparedReview["sarif"], degradations: PreparedReview["degradations"]): void {
  for (const { file, skipped } of reports) {
    if (skipped.unmapped === 0) continue;
    const are = skipped.unmapped === 1 ? "is" : "are";
    const message = `${count(skipped.unmapped, "result")} ${are} outside the repository. Run the tool in the repository's folder`;
    degradations.note("SARIF", `${file}: ${message}`);
  }
}

async function reviewPrepared(
  prepared: PreparedReview,
  access: ModelAccess,
  deps: ReviewDeps,
): Promise<ReviewResult> {
  const { change, config, analysis, sarif, degradations, prior } = prepared;
  const chosen = await chooseForReview(prepared, access);
  const context = await gatherContext(prepared, chosen, deps);
  const rules = await (deps.reviewWithRules?.(prepared, context) ?? reviewWithRules(prepared, context, deps));
  noteUnusable(sarif, degradations);
  const evidence = [...rules.findings, ...sarif.flatMap((report) => report.findings)];
  const { review, noModel } = await reviewWithChosen({ prepared, context, evidence, chosen, access }, deps);
  const findings = [...evidence, ...(review?.findings ?? [])];
  const proof = proofOf({ prepared, rules, answers: review?.answers ?? new Map() });
  const judging = await gatherJudgingContext(findings, prepared, proof, deps);
  const suggestions = await gatherSuggestionContext(findings, { ...deps, ...prepared });
  const judgement = judgeFindings(findings, change, judging, suggestions);
  const coverage = { ...rules.coverage, byModel: review?.byModel ?? null };
  const { scope } = context;
  const readings = readingsOfRun({ change, scope, coverage, passes: review?.passes ?? [] });
  const settled = settlePrior(judging.located, judgement.known, judging.carriage);
  const { language, guidelines } = config.tree.root.values.review;
  const notes = [describeLanguageReach(language), describeGuidelineEdits(change.files, guidelines.files)];
  const publication = composePublication({
    change,
    analysis,
    ...judgement,
    settled,
    scope,
    lastNumber: Math.max(0, ...prior.findings.map(({ number }) => number)),
    dependencies: context.dependencies,
    memory: composeMemory({ ...judging, ...judgement, context }),
    receipt: composeReceipt(change.files, analysis, { ...coverage, gaps: rules.gaps }, scope),
    degradations: degradations.list(),
    overview: review?.overview ?? [],
    passes: [rules.report, ...(review?.passes ?? [])],
    cutOffUsd: review?.cutOffUsd ?? 0,
    noModel,
    configOrigin: config.origin,
    configProblems: config.problems,
    rulesRun: rules.rules.size,
    sarif,
    analysers: rules.analysers,
    version: deps.version,
    rulesUrl: RULES_URL,
    notes: notes.filter((note) => note !== null),
  });
  const leftBehind = leaveBehind({
    ...prepared,
    publication,
    settled,
    readings,
    config: digestOf(config, change.files),
    uncommitted: UNCOMMITTED,
  });
  const { failOn } = config.tree.root.values.review;
  return { publication, leftBehind, retrieval: context.retrieval ?? null, failOn };
}
