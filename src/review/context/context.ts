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
import type { RelatedCode, ShortFunction } from "./related-code.ts";
import type { Retrieval } from "./retrieval.ts";

export type Context = {
  /** Null unless the review is a deep one. */
  readonly asked: AskedQuestion | null;
  /** The part that earlier reviews have left to read. */
  readonly scope: Scope;
  /** Dependencies that the change adds, removes or updates; null when there are none. */
  readonly dependencies: DependencyReport | null;
  /** Guideline files of the base, in the order of the configuration. Empty unless a model reviews, like all that follows. */
  readonly guidelines: readonly Guideline[];
  readonly earlier: EarlierFindings;
  readonly memory: RecalledMemory;
  readonly code: SurroundingCode;
  readonly sources: ContextSources;
};

/** Findings of models in earlier reviews. */
export type EarlierFindings = {
  /** In files with new code, to be checked again. */
  readonly toCheckAgain: readonly ReportedBefore[];
  /** In code that no one reads again. */
  readonly reportedBefore: readonly ReportedBefore[];
};

/** The part of the team's memory that is about the change. */
export type RecalledMemory = {
  /** Similar findings of the past with their outcome, best first. */
  readonly memories: readonly Memory[];
  /** Null when they weren't searched for. */
  readonly retrieval: Retrieval | null;
  /** Statements of the team that apply to this change, best first. */
  readonly learnings: readonly Learning[];
};

/** Code outside the diff. */
export type SurroundingCode = {
  /** Code that the change affects. */
  readonly relatedCode: readonly RelatedCode[];
  /** Functions that a hunk shows only in part. */
  readonly shortFunctions: readonly ShortFunction[];
};

/** Sources that a model can ask while it works. */
export type ContextSources = {
  /** Reads the CI checks of the head, which change meanwhile; null without a host. */
  readonly readChecks: (() => Promise<readonly CheckReport[]>) | null;
  /** Reads the public packages among the dependencies; null when nothing may be looked up. */
  readonly dependencyReader: DependencyReader | null;
  /** Answers what imports prove; null without a repository or a code index. */
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
