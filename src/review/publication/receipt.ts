/**
 * The receipt: every added line of the change ends in exactly one entry. Shapes only; compose-receipt.ts fills it.
 */
export type ReceiptStatus = "reviewed" | "omitted" | "unreviewable";

/** Why lines were not reviewed, `group:detail`. */
export type ReceiptReason =
  | "filtered:lockfile"
  | "filtered:generated"
  | "filtered:vendored"
  | "filtered:minified"
  | "filtered:skip-paths"
  | "limit:line-too-long"
  | "limit:too-large"
  /** The path is that of a folder, which holds more changed files than a review can. */
  | "limit:too-many-files"
  /** An uncommitted file that git stores through a filter, such as Git LFS. Filters are programs, and none is run. */
  | "limit:git-filter"
  | "limit:time"
  /** Rules and parsers needed more time or memory than one file may take. */
  | "limit:file-cost"
  /** Its changes did not fit into the prompt, and the model did not ask for them. */
  | "limit:context"
  /** The budget was spent before the model came to it. */
  | "limit:budget"
  /** More model reviews were requested within the hour than the limits allow. */
  | "limit:requests"
  /** Somebody stopped the review before the model came to it. */
  | "limit:stopped"
  /** In a change of this size it is only mentioned to the model. */
  | "limit:large-change"
  | "failed:model"
  | "failed:rule-error"
  | "binary"
  | "submodule"
  | "symlink"
  /** The repository holds only a pointer of Git LFS to the file. */
  | "lfs-pointer"
  | "unreadable"
  | "mode-only"
  | "skipped:no-review"
  | "floor-off";

export type ReceiptEntry = {
  readonly path: string;
  readonly status: ReceiptStatus;
  /** Null exactly when the status is "reviewed". */
  readonly reason: ReceiptReason | null;
  /** Set where only the model has not read the lines: the deterministic rules have. */
  readonly readBy?: "rules";
  /** Added lines in this entry. */
  readonly lines: number;
};

export type Coverage = {
  readonly addedLines: number;
  readonly reviewedLines: number;
  readonly omittedLines: number;
  readonly unreviewableLines: number;
  readonly files: number;
  readonly reviewedFiles: number;
  /**
   * True when no limit or failure of ours kept a line from being read. What the repository's policy leaves out
   * (lock files, skipPaths) and what has no text (binary files) does not make a review incomplete; it is listed.
   */
  readonly isComplete: boolean;
};

export type Receipt = { readonly entries: readonly ReceiptEntry[]; readonly coverage: Coverage };
