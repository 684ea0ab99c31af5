/** What the deterministic analysis knows about a change. One field per file of this folder; shapes only. */
import type { Severity } from "../../base/severity.ts";

export type FileCategory = "test" | "infra" | "docs" | "config" | "source";

/** Marks of files that never push source files out of a review. */
export type FileMark = "lockfile" | "generated" | "vendored" | "minified";

/** How closely a file is to be read in a large change. */
export type Tier = "full" | "abbreviated" | "mentioned";

export type FileAnalysis = {
  readonly path: string;
  readonly category: FileCategory;
  /** Language id such as "typescript" or "cpp"; "unknown" where none is known. */
  readonly language: string;
  readonly mark: FileMark | null;
  /** True when `review.skipPaths` names it. */
  readonly isSkipped: boolean;
  /** 0 to 100. */
  readonly risk: number;
  readonly tier: Tier;
};

export type RiskSignal = {
  /** Stable id such as "authentication" or "raw-sql". */
  readonly id: string;
  readonly label: string;
  /** Up to five paths that raised it. */
  readonly paths: readonly string[];
};

export type ConventionalType =
  | "feat"
  | "fix"
  | "docs"
  | "style"
  | "refactor"
  | "perf"
  | "test"
  | "build"
  | "ci"
  | "chore"
  | "revert";

export type ReviewMode = "strict" | "balanced" | "lenient";

export type ReviewIntent = {
  readonly skipReview: boolean;
  readonly isDraft: boolean;
  /** From a bracket tag; null when none was given. */
  readonly mode: ReviewMode | null;
  readonly focus: readonly string[];
  readonly ignore: readonly string[];
  readonly type: ConventionalType | null;
  readonly scope: string | null;
  readonly isBreaking: boolean;
  /** Where a breaking change was announced: "title", "commit" or "body". */
  readonly breakingSource: "title" | "commit" | "body" | null;
  /** Tags that would make the review say less, from an author who may not decide that. */
  readonly ignoredTags: readonly string[];
};

/** The mode with everything it decides, after explicit settings had their say. */
export type EffectiveMode = {
  readonly mode: ReviewMode;
  readonly origin: "keyword" | "config" | "size";
  readonly minLevel: Severity;
  readonly maxComments: number;
  readonly ignoredCategories: readonly string[];
  readonly focusedCategories: readonly string[];
};

/** What there is to read: marked and skipped files are not counted. */
export type Scale = {
  readonly files: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** More than 500 lines or 20 files. */
  readonly isLarge: boolean;
  /** More than one review reads in full, by `largePR`: files are read by tier. */
  readonly isTriaged: boolean;
};

export type AuthorTier = "first-time" | "regular" | "core";

export type ReviewPass = {
  readonly name: string;
  readonly paths: readonly string[];
  readonly seconds: number;
};

export type Analysis = {
  readonly files: readonly FileAnalysis[];
  readonly byPath: ReadonlyMap<string, FileAnalysis>;
  readonly intent: ReviewIntent;
  /** Why the change is not reviewed, as the end of a sentence: "[no-review] in the title"; null when it is. */
  readonly skippedBecause: string | null;
  readonly mode: EffectiveMode;
  readonly scale: Scale;
  /** At most 10. */
  readonly riskSignals: readonly RiskSignal[];
  readonly authorTier: AuthorTier;
  readonly timeBudgetSeconds: number;
  /** One pass unless chunking is on and the change is large. */
  readonly passes: readonly ReviewPass[];
};
