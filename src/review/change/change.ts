/**
 * The change under review as one readonly value: what was asked for, the commits, the files and their hunks.
 * Produced by `repository` from git or by parse-diff.ts from a diff; the core never asks for more.
 */

export type FileStatus = "added" | "modified" | "deleted" | "renamed" | "copied" | "type-changed";

/**
 * One hunk. `lines` are as in a unified diff: the first character is " ", "+" or "-", the rest is the text without
 * its line feed (a carriage return is kept).
 */
export type Hunk = {
  readonly oldStart: number;
  readonly newStart: number;
  /** The text after the second `@@`, usually the enclosing function. */
  readonly section: string;
  readonly lines: readonly string[];
};

/**
 * Why a file has no hunks to read although it changed. `too-large`, `too-many-files`, `filtered` and `unreadable` are limits of
 * ours; the others are facts about the file. With `too-many-files` the path is that of a folder and ends with a slash.
 */
export type Unreadable =
  | "binary"
  | "submodule"
  | "symlink"
  | "lfs-pointer"
  | "too-large"
  | "too-many-files"
  | "filtered"
  | "unreadable"
  | "mode-only";

export type ChangedFile = {
  /** Path at the head, or at the base for a deleted file. May hold any character but NUL. */
  readonly path: string;
  /** Path at the base; differs from `path` for renames and copies; null for an added file. */
  readonly oldPath: string | null;
  readonly status: FileStatus;
  /** Git file modes as six octal digits; null when the side does not exist or is unknown. */
  readonly oldMode: string | null;
  readonly newMode: string | null;
  /** Object ids where known; null for a side that does not exist or is not in the object database. */
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  /** Counted over the whole diff, also where the hunks were not kept. Zero for binary files. */
  readonly addedLines: number;
  readonly removedLines: number;
  readonly hunks: readonly Hunk[];
  readonly unreadable: Unreadable | null;
  /** Lines (new side) longer than MAX_LINE_CHARS: their text was cut, so no rule reads them. */
  readonly cutLines: readonly number[];
};

export type Commit = {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  readonly author: string;
};

export type ChangeKind = "branch" | "working-tree" | "staged" | "commit" | "range" | "diff" | "pull-request";

export type Change = {
  readonly kind: ChangeKind;
  /** For people: "feature/login against origin/main". */
  readonly description: string;
  /** Pull request title or the subject of the newest commit; may be empty. */
  readonly title: string;
  readonly body: string;
  /** Commit ids; null where there is none (a diff file, the empty tree, the working tree). */
  readonly base: string | null;
  readonly head: string | null;
  readonly commits: readonly Commit[];
  /** In git's order. */
  readonly files: readonly ChangedFile[];
  /** What a person should know about how the change was found: "main is its own base: reviewing its last commit". */
  readonly notes: readonly string[];
};

/** A longer line is data, not code: it is counted but its text is not kept. */
export const MAX_LINE_CHARS = 4_000;

/** A diff of one file beyond this is not read: 20,000 lines is past what any reviewer reads. */
export const MAX_FILE_DIFF_LINES = 20_000;
