/** The recipe for a change: one change in, one publication out. It makes no decisions; each step has its own file. */
import type { RepoConfig } from "../config/repo-config/schema.ts";
import { describeLanguageReach } from "../config/review-language.ts";
import type { PriorReview } from "../review/context/prior-review.ts";
import type { Retrieval } from "../review/context/retrieval.ts";
import { judgeFindings } from "../review/findings/judge-findings.ts";
import { settlePrior } from "../review/findings/settle-prior.ts";
import { composeMemory } from "../review/publication/compose/compose-memory.ts";
import { composePriorReview } from "../review/publication/compose/compose-prior-review.ts";
import { composePublication } from "../review/publication/compose/compose-publication.ts";
import type { Publication } from "../review/publication/publication.ts";
import { describeGuidelineEdits } from "../rules/lines/guideline-paths.ts";
import { RULES_URL } from "../version.ts";
import { digestOf } from "./gathering/gather-config.ts";
import { gatherContext } from "./gathering/gather-context.ts";
import { gatherJudgingContext } from "./gathering/gather-judging-context.ts";
import { gatherSuggestionContext } from "./gathering/gather-suggestion-context.ts";
import { createDegradations } from "./gathering/optional.ts";
import type { PreparedReview } from "./gathering/prepared-review.ts";
import { prepareReview, type ReviewDeps, type ReviewRequest } from "./gathering/prepare-review.ts";
import type { ModelAccess } from "./model-review/model-access.ts";
import { proofOf } from "./reading/check-proof.ts";
import { readingsOfRun } from "./reading/readings-of-run.ts";
import { reviewWithAll } from "./reading/review-with-all.ts";
import { chooseForReview } from "./reading/review-with-chosen.ts";

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
    prepare(request) {
      deps.knowledge.warm(request.change);
      return prepareReview(request, deps, degradations);
    },
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

async function reviewPrepared(
  prepared: PreparedReview,
  access: ModelAccess,
  deps: ReviewDeps,
): Promise<ReviewResult> {
  const { change, config, analysis, prior } = prepared;
  const chosen = await chooseForReview(prepared, access);
  const context = await gatherContext(prepared, chosen, deps);
  const reviewed = await reviewWithAll({ prepared, context, chosen, access }, deps);
  const proof = proofOf(prepared, reviewed);
  const judging = await gatherJudgingContext(reviewed.findings, prepared, proof, deps);
  const suggestions = await gatherSuggestionContext(reviewed.findings, prepared, deps);
  const judgement = judgeFindings(reviewed.findings, change, judging, suggestions);
  const settled = settlePrior(judging.located, judgement.known, judging.carriage);
  const { scope, dependencies, memory } = context;
  const publication = composePublication({
    change,
    analysis,
    reviewed,
    judgement,
    earlier: { prior, scope, settled },
    context: { dependencies, memory: composeMemory(memory, judging, judgement) },
    degradations: prepared.degradations.list(),
    origin: { config, notes: notesOf(prepared), version: deps.version, rulesUrl: RULES_URL },
  });
  const leftBehind = composePriorReview({
    change,
    prior,
    publication,
    settled,
    readings: readingsOfRun(change, scope, reviewed),
    config: digestOf(config, change.files),
  });
  const { failOn } = config.tree.root.values.review;
  return { publication, leftBehind, retrieval: memory.retrieval, failOn };
}

/** Notes about the settings. */
function notesOf({ change, config }: PreparedReview): readonly string[] {
  const { language, guidelines } = config.tree.root.values.review;
  const notes = [describeLanguageReach(language), describeGuidelineEdits(change.files, guidelines.files)];
  return notes.filter((note) => note !== null);
}
