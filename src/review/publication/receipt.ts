/**
 * The receipt: every added line of the change ends in exactly one entry. Shapes only; compose-receipt.ts fills it.
 */
import type { CheckGap } from "../findings/check-gap.ts";

export type ReceiptStatus = "reviewed" | "carried" | "omitted" | "unreviewable";

/** Why lines were not reviewed, `group:detail`. */
export type ReceiptReason =
  | "filtered:lockfile"
  | "filtered:generated"
  | "filtered:vendored"
  | "filtered:minified"
  | "filtered:skip-paths"
  /** A line of source that is too long to be read. */
  | "limit:line-too-long"
  /** A line that is too long to be read, in a file of data or markup. */
  | "data-line"
  /** A file of data that is too large to be read. */
  | "data-file"
  | "limit:too-large"
  /** The path is a folder with more changed files than one review can hold. */
  | "limit:too-many-files"
  /** An uncommitted file that git stores through a filter, such as Git LFS. Filters are programs, and Kodiai runs none. */
  | "limit:git-filter"
  | "limit:time"
  /** Rules and parsers exceeded the time or memory limit for one file. */
  | "limit:file-cost"
  /** Its changes didn't fit in the prompt, and the model didn't request them. */
  | "limit:context"
  /** The budget ran out before the model reached it. */
  | "limit:budget"
  /** The hourly limit for model reviews was reached. */
  | "limit:requests"
  /** The user stopped the review before the model reached it. */
  | "limit:stopped"
  /** The model finished, but had marked only other hunks of the file as read. */
  | "limit:unmarked"
  /** `review.triageModel` ranked it as not worth reading. */
  | "limit:triage"
  /** In a change this large, the model only gets its name. */
  | "limit:large-change"
  | "failed:model"
  | "failed:rule-error"
  | "binary"
  | "submodule"
  | "symlink"
  /** The repository holds only a Git LFS pointer to the file. */
  | "lfs-pointer"
  | "unreadable"
  | "mode-only"
  | "skipped:no-review"
  | "floor-off";

/** A model has read a whole file (null), none of it (the reason), or some hunks (with the reason for the others). */
export type FileCoverage =
  | ReceiptReason
  | null
  | { readonly hunks: ReadonlySet<number>; readonly rest: ReceiptReason };

export type ReceiptEntry = {
  readonly path: string;
  readonly status: ReceiptStatus;
  /** Null exactly when the status is "reviewed" or "carried". */
  readonly reason: ReceiptReason | null;
  /** Set when the built-in rules read the lines and only the model didn't. */
  readonly readBy?: "rules";
  /** True when the model that read the lines was asked to skim them. */
  readonly isSkimmed?: true;
  /** The model that read carried lines in an earlier review, and the commit. */
  readonly carried?: { readonly by: string; readonly head: string };
  /** Added lines in this entry. */
  readonly lines: number;
  /** Set when the model hasn't read some hunks of a file, and it or an earlier one has read the others. */
  readonly hunks?: { readonly unread: number; readonly total: number };
};

export type Coverage = {
  readonly addedLines: number;
  readonly reviewedLines: number;
  /** Lines that an earlier review has read. */
  readonly carriedLines: number;
  readonly omittedLines: number;
  readonly unreviewableLines: number;
  readonly files: number;
  /** Files with lines that this review or an earlier one has read. */
  readonly reviewedFiles: number;
  /**
   * True when no limit or failure of Kodiai kept a line from being read or a check from running. Files that the repository's policy excludes
   * (lock files, skipPaths) and files without text to review (binary files, data) are listed, but don't make a review
   * incomplete.
   */
  readonly isComplete: boolean;
};

export type Receipt = {
  readonly entries: readonly ReceiptEntry[];
  /** Checks that didn't run on all that they apply to. */
  readonly gaps: readonly CheckGap[];
  readonly coverage: Coverage;
};
