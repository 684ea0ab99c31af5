/** The recipe for a change: one change in, one publication out. It makes no decisions; each step has its own file. */
import type { RepoConfig } from "../config/repo-config/schema.ts";
import { describeLanguageReach } from "../config/review-language.ts";
import type { Warmed } from "../model/model.ts";
import type { PriorReview } from "../review/context/prior-review.ts";
import type { Retrieval } from "../review/context/retrieval.ts";
import type { Finding } from "../review/findings/finding.ts";
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
import type { AvailableModels, ModelAccess } from "./model-review/model-access.ts";
import { proofOf } from "./reading/check-proof.ts";
import { readingsOfRun } from "./reading/readings-of-run.ts";
import { reviewWithAll } from "./reading/review-with-all.ts";
import { chooseForReview } from "./reading/review-with-chosen.ts";
import type { VerificationInput, VerifiedReview } from "./verification/verify-findings.ts";

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
  const chosen = await chooseForReview(prepared, access);
  const warmed = await warm(chosen, prepared);
  try {
    return await reviewWith(chosen, prepared, access, deps);
  } finally {
    await warmed?.close();
  }
}

async function reviewWith(
  chosen: AvailableModels,
  prepared: PreparedReview,
  access: ModelAccess,
  deps: ReviewDeps,
): Promise<ReviewResult> {
  const { change, config, analysis, prior } = prepared;
  const context = await gatherContext(prepared, chosen, deps);
  const { reviewed: found, session } = await reviewWithAll({ prepared, context, chosen, access }, deps);
  const proof = proofOf(prepared, found);
  const judging = await gatherJudgingContext(found.findings, prepared, proof, deps);
  const suggestions = await gatherSuggestionContext(found.findings, prepared, deps);
  const judge = (findings: readonly Finding[]) => judgeFindings(findings, change, judging, suggestions);
  const { reviewed, judgement } =
    session === null
      ? { reviewed: found, judgement: judge(found.findings) }
      : await verify({ prepared, sources: context.sources, session, reviewed: found, judge }, deps);
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

/** Loaded only here: most models have nothing to start. */
async function warm({ models: [first] }: AvailableModels, prepared: PreparedReview): Promise<Warmed | null> {
  if (first?.warm === undefined) return null;
  const { warmFirst } = await import("./model-review/warm-first.ts");
  return warmFirst(first, prepared);
}

/** Loaded only here: a review without a model has no second reading. */
async function verify(input: VerificationInput, deps: ReviewDeps): Promise<VerifiedReview> {
  const { verifyFindings } = await import("./verification/verify-findings.ts");
  return verifyFindings(input, deps);
}

/** Notes about the settings. */
function notesOf({ change, config }: PreparedReview): readonly string[] {
  const { language, guidelines } = config.tree.root.values.review;
  const notes = [describeLanguageReach(language), describeGuidelineEdits(change.files, guidelines.files)];
  return notes.filter((note) => note !== null);
}
