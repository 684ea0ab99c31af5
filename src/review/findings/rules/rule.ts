/** The type of a judging rule: it looks at one finding in its context and keeps it, changes its severity, only lists it, or drops it. */
import type { Severity } from "../../../base/severity.ts";
import type { ConfigTree } from "../../../config/repo-config/repo-config.ts";
import type { Analysis, FileAnalysis } from "../../analysis/analysis.ts";
import type { ChangedFile } from "../../change/change.ts";
import type { FeedbackRuling } from "../../context/feedback-ruling.ts";
import type { PriorFinding } from "../../context/prior-review.ts";
import type { Scope } from "../../change/scope.ts";
import type { Carriage, CarriedFinding } from "../carry-prior.ts";
import type { LocatedPrior } from "../match-prior.ts";
import type { DropReason, Finding } from "../finding.ts";
import type { Identified } from "../identify-findings.ts";

/** A finding on its way through the rules. */
export type FindingInJudgement = Identified & {
  /** The severity so far. */
  readonly severity: Severity;
  /** Omitted: it isn't a finding that is back. */
  readonly reopens?: PriorFinding;
  /** The reports that were merged into it, its own first. */
  readonly sources: readonly Finding[];
  /** True for a finding that an earlier review reported. */
  readonly isKnown?: true;
  /** Of an earlier review; omitted when this review found it. */
  readonly carried?: CarriedFinding;
  /** Null when the finding's path is not in the change. */
  readonly file: ChangedFile | null;
  readonly facts: FileAnalysis | null;
};

/** Everything outside the finding that judging depends on. */
export type JudgingContext = {
  readonly analysis: Analysis;
  readonly config: ConfigTree;
  /** The findings of earlier reviews of this change. */
  readonly located: readonly LocatedPrior[];
  readonly carriage: Carriage;
  readonly scope: Scope;
  /** The effect of people's reactions to findings of the same pattern on this one; null without one. */
  readonly feedbackOn: (finding: Finding) => FeedbackRuling | null;
  /** True when the repository has a formatter or linter configured. */
  readonly hasTooling: boolean;
};

/** `taught`: the feedback that it follows, so that the review can show the reason and the way back. */
export type Ruling =
  | { readonly kind: "keep" }
  | {
      readonly kind: "severity";
      readonly severity: Severity;
      readonly note: string;
      readonly taught?: FeedbackRuling;
    }
  /** It gets no comment on its line, and is listed. `severity`: from now on; left out, it stays. */
  | {
      readonly kind: "list";
      readonly note: string;
      readonly severity?: Severity;
      readonly taught?: FeedbackRuling;
    }
  | { readonly kind: "drop"; readonly reason: DropReason; readonly detail: string };

export type JudgingRule = (candidate: FindingInJudgement, situation: JudgingContext) => Ruling;

export const KEEP: Ruling = { kind: "keep" };

export function list(note: string): Ruling {
  return { kind: "list", note };
}

export function drop(reason: DropReason, detail: string): Ruling {
  return { kind: "drop", reason, detail };
}
