/** The recipe for `kodiai deps`: one change in, the report about its dependencies out. */
import type { DependencyReport } from "../ecosystems/dependency-report.ts";
import { NO_PRIOR_REVIEW } from "../review/context/prior-findings.ts";
import type { Change } from "../review/change/change.ts";
import type { Degradation } from "../review/publication/publication.ts";
import type { ReportDeps } from "./gathering/dependencies/report-deps.ts";
import { reportDependencies } from "./gathering/dependencies/report-dependencies.ts";
import { createDegradations } from "./gathering/optional.ts";
import { prepareReview } from "./gathering/prepare-review.ts";

export type DependencyReview = {
  readonly report: DependencyReport | null;
  readonly degradations: readonly Degradation[];
};

export async function reviewDependencies(change: Change, deps: ReportDeps): Promise<DependencyReview> {
  const degradations = createDegradations(deps.signal);
  const request = {
    change,
    givenConfig: null,
    isExplicit: true,
    isFull: true,
    tags: "all",
    author: { association: null, mergedPullRequests: null },
    prior: NO_PRIOR_REVIEW,
  } as const;
  const prepared = await prepareReview(request, deps, degradations);
  const report = await reportDependencies(prepared, deps);
  return { report, degradations: degradations.list() };
}
