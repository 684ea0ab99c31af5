/** A change with everything that is decided about it before it is reviewed. */
import type { Analysis } from "../../review/analysis/analysis.ts";
import type { Change } from "../../review/change/change.ts";
import type { AskedQuestion } from "../../review/context/asked-question.ts";
import type { Scope } from "../../review/change/scope.ts";
import type { PriorReview } from "../../review/context/prior-review.ts";
import type { SarifReport } from "../../review/findings/sarif-report.ts";
import type { GatheredConfig } from "./gather-config.ts";
import type { ComparedDependencies } from "./dependencies/compare-dependencies.ts";
import type { Listing } from "./gather-listing.ts";
import type { Degradations } from "./optional.ts";

export type PreparedReview = {
  /** Null unless the review is a deep one. */
  readonly asked: AskedQuestion | null;
  readonly change: Change;
  readonly config: GatheredConfig;
  readonly analysis: Analysis;
  readonly prior: PriorReview;
  /** The part that models of earlier reviews have left to read. */
  readonly scope: Scope;
  readonly sarif: readonly SarifReport[];
  /** Null when the change touches no dependency. */
  readonly dependencies: ComparedDependencies | null;
  readonly listing: Listing;
  readonly degradations: Degradations;
};
