/**
 * Everything a reviewer knows about a change beyond its diff, gathered in one step between analysis and reading. Each source
 * of knowledge is one slot here and one gatherer; none of them is another parameter of the recipe.
 */
import type { AskedQuestion } from "./asked-question.ts";
import type { CheckReport } from "./check-report.ts";
import type { CodeLookup } from "./code-lookup.ts";
import type { DependencyReader } from "./dependency-reader.ts";
import type { DependencyReport } from "../../ecosystems/dependency-report.ts";
import type { Severity } from "../../base/severity.ts";
import type { Scope } from "../change/scope.ts";
import type { Learning } from "./learning.ts";
import type { Memory } from "./memory.ts";
import type { PriorReview } from "./prior-review.ts";
import type { RelatedCode, ShortFunction } from "./related-code.ts";
import type { Retrieval } from "./retrieval.ts";

export type Context = {
  /** Left out unless the review is a deep one. */
  readonly asked?: AskedQuestion;
  /** Guideline files of the base, in the order of the configuration; none unless a model reviews. */
  readonly guidelines: readonly Guideline[];
  /** Reads the CI checks of the head when the model asks, because they change while it works; null without a host. */
  readonly readChecks: (() => Promise<readonly CheckReport[]>) | null;
  readonly prior: PriorReview;
  /** Findings of models in files with new code, to be checked again; none unless a model reviews. */
  readonly toCheckAgain: readonly ReportedBefore[];
  /** Findings of models in code that no one reads again; none unless a model reviews. */
  readonly reportedBefore: readonly ReportedBefore[];
  /** The part that earlier reviews have left to read. */
  readonly scope: Scope;
  /** Similar findings of the past with their outcome, best first; none unless a model reviews. */
  readonly memories: readonly Memory[];
  /** Left out when they weren't searched for. */
  readonly retrieval?: Retrieval;
  /** Statements of the team that apply to this change, best first; none unless a model reviews. */
  readonly learnings: readonly Learning[];
  /** Dependencies that the change adds, removes or updates; null when there are none. */
  readonly dependencies: DependencyReport | null;
  /** Reads those that are public when the model asks; null when nothing may be looked up, or no model reviews. */
  readonly dependencyReader: DependencyReader | null;
  /** Code outside the diff that the change affects; none unless a model reviews. */
  readonly relatedCode: readonly RelatedCode[];
  /** Functions that a hunk shows only in part. */
  readonly shortFunctions: readonly ShortFunction[];
  /** Answers what imports prove when the model asks; null without a repository or a code index. */
  readonly codeLookup: CodeLookup | null;
};

/** A finding of an earlier review, where it is now. */
export type ReportedBefore = {
  readonly number: number;
  readonly path: string;
  /** Null when its lines are gone. */
  readonly line: number | null;
  readonly severity: Severity;
  readonly title: string;
  readonly body: string;
};

export type Guideline = { readonly path: string; readonly text: string };
