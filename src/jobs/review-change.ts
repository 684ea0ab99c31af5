/**
 * The recipe: a change in, one publication out. It decides nothing itself; each line is a step with a file of its own.
 */
import type { RepoConfig } from "../config/repo-config/schema.ts";
import type { Repository } from "../repository/repository.ts";
import { analyseChange } from "../review/analysis/analyse-change.ts";
import type { Change } from "../review/change/change.ts";
import { judgeFindings } from "../review/findings/judge-findings.ts";
import { composePublication } from "../review/publication/compose-publication.ts";
import { composeReceipt } from "../review/publication/compose-receipt.ts";
import type { Publication } from "../review/publication/publication.ts";
import type { Syntax } from "../syntax/syntax.ts";
import { gatherAttributes } from "./steps/gather-attributes.ts";
import { gatherConfig, type GivenConfig } from "./steps/gather-config.ts";
import { createListing } from "./steps/gather-listing.ts";
import { gatherSituation } from "./steps/gather-situation.ts";
import { gatherSuggestionContext } from "./steps/gather-suggestion-context.ts";
import { createDegradations } from "./steps/optional.ts";
import { runFloor } from "./steps/run-floor.ts";

export type ReviewRequest = {
  readonly change: Change;
  /** Stands in for the repository's own configuration. */
  readonly givenConfig: GivenConfig | null;
  /** A person asked for this review: tags such as [no-review] do not stop it. */
  readonly isExplicit: boolean;
};

export type ReviewDeps = {
  /** Null when only a diff is known. */
  readonly repository: Repository | null;
  readonly loadSyntax: () => Promise<Syntax>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: (stage: string, done: number, total: number) => void;
  readonly version: string;
};

export type ReviewResult = {
  readonly publication: Publication;
  /** `review.failOn` of the repository. */
  readonly failOn: RepoConfig["review"]["failOn"];
};

export async function reviewChange(request: ReviewRequest, deps: ReviewDeps): Promise<ReviewResult> {
  const { change } = request;
  const { repository, signal } = deps;
  const degradations = createDegradations(signal);
  const listing = createListing(change, repository, degradations);
  const [config, attributes] = await Promise.all([
    gatherConfig(change, repository, request.givenConfig),
    gatherAttributes(change, repository, degradations),
  ]);
  const analysis = analyseChange(change, {
    config: config.tree,
    attributes,
    author: { association: null, mergedPullRequests: null },
    isDependencyBump: false,
    isExplicit: request.isExplicit,
  });
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
  const situation = await gatherSituation(floor.findings, { config: config.tree, analysis, listing });
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
