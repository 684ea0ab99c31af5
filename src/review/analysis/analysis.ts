/** The result of the deterministic analysis. Each file of this folder computes one field; this file has only types. */
import type { Severity } from "../../base/severity.ts";
import type { Lens } from "./lenses.ts";

export type FileCategory = "test" | "infra" | "docs" | "config" | "source";

/** Marks files that never displace source files in a review. */
export type FileMark = "lockfile" | "generated" | "vendored" | "minified";

/** How thoroughly a file is reviewed in a large change. */
export type Tier = "full" | "abbreviated" | "mentioned";

export type FileAnalysis = {
  readonly path: string;
  readonly category: FileCategory;
  /** Language id such as "typescript" or "cpp", or "unknown". */
  readonly language: string;
  readonly mark: FileMark | null;
  /** True when `review.skipPaths` matches it. */
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
  /** From a bracket tag; null without one. */
  readonly mode: ReviewMode | null;
  readonly focus: readonly string[];
  readonly ignore: readonly string[];
  readonly type: ConventionalType | null;
  readonly scope: string | null;
  readonly isBreaking: boolean;
  /** Where a breaking change was announced: "title", "commit" or "body". */
  readonly breakingSource: "title" | "commit" | "body" | null;
  /** Tags that would relax the review, from an author who isn't allowed to. */
  readonly ignoredTags: readonly string[];
};

/** The mode and its values, after explicit settings were applied. */
export type EffectiveMode = {
  readonly mode: ReviewMode;
  readonly origin: "keyword" | "config" | "size";
  /** Less severe findings get no comment on their line. */
  readonly minLevel: Severity;
  /** Less severe findings aren't shown. */
  readonly shownFrom: Severity;
  readonly maxComments: number;
  /** Not shown. */
  readonly ignoredCategories: readonly string[];
  /** Without a comment on their line. */
  readonly listedCategories: readonly string[];
  readonly focusedCategories: readonly string[];
};

/** The size of the reviewable change. Marked and skipped files aren't counted. */
export type Scale = {
  readonly files: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** More than 500 lines or 20 files. */
  readonly isLarge: boolean;
  /** Too large for one full review according to `largePR`, so files are read by tier. */
  readonly isTriaged: boolean;
};

export type AuthorTier = "first-time" | "regular" | "core";

/** A later round of `review.passes`: it reads a part of the change again, with one lens. */
export type ReviewRound = {
  readonly number: 2 | 3;
  readonly lens: Lens;
  /** The name of the same part in the first round. */
  readonly part: string;
};

export type ReviewPass = {
  readonly name: string;
  /** A later round reads them in this order, the first round by risk. */
  readonly paths: readonly string[];
  readonly seconds: number;
  /** Omitted in the first round. */
  readonly round?: ReviewRound;
};

export type Analysis = {
  readonly files: readonly FileAnalysis[];
  readonly byPath: ReadonlyMap<string, FileAnalysis>;
  readonly intent: ReviewIntent;
  /** Why the change is skipped, as a phrase: "[no-review] in the title". Null when it is reviewed. */
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
