/**
 * The port that answers a review's questions about a change: what rules and linters find, what registries say, and which code is around
 * it. A recording records at this port and a replay answers at it. These sources read about ten times as much of the repository as the rest
 * of a review, and on the masked code of a recording the rules would find something else.
 */
import type { DependencyReport } from "../ecosystems/dependency-report.ts";
import type { Change } from "../review/change/change.ts";
import type { SurroundingCode } from "../review/context/context.ts";
import type { CodeLookup } from "../review/context/code-lookup.ts";
import type { DependencyReader } from "../review/context/dependency-reader.ts";
import type { PreparedReview } from "./gathering/prepared-review.ts";
import type { RulesReview } from "./reading/review-with-rules.ts";

/** Failures that a review tolerates are noted in the degradations of `prepared`. */
export type Knowledge = {
  /** Loads in the background what this change will need. */
  warm(change: Change): void;
  /** Null when the change touches no dependency, or they aren't wanted. */
  reportDependencies(prepared: PreparedReview): Promise<DependencyReport | null>;
  /** Null when the change touches no public package, or nothing may be looked up. */
  openDependencyReader(prepared: PreparedReview): Promise<DependencyReader | null>;
  gatherCode(prepared: PreparedReview): Promise<KnownCode>;
  /** Built-in rules and linters. `dependencies`: the report about this change. */
  reviewWithRules(prepared: PreparedReview, dependencies: DependencyReport | null): Promise<RulesReview>;
};

export type KnownCode = {
  readonly surrounding: SurroundingCode;
  /** Null without a repository or a code index. */
  readonly lookup: CodeLookup | null;
};
