/**
 * The change under review as one readonly value: what was asked for, the commits, the files and their hunks.
 * Produced by `repository` from git or by parse-diff.ts from a diff; the core never asks for more. Import the types with
 * `import type`: a schema loads zod, which only a recording needs.
 */
import * as z from "zod";

const count = z.int().min(0);

export const FileStatus = z.enum(["added", "modified", "deleted", "renamed", "copied", "type-changed"]);
export type FileStatus = z.infer<typeof FileStatus>;

/**
 * One hunk. `lines` are as in a unified diff: the first character is " ", "+" or "-", the rest is the text without
 * its line feed (a carriage return is kept).
 */
export const Hunk = z
  .object({
    oldStart: count,
    newStart: count,
    /** The text after the second `@@`, usually the enclosing function. */
    section: z.string(),
    lines: z.array(z.string().regex(/^[ +-]/)).readonly(),
  })
  .readonly();
export type Hunk = z.infer<typeof Hunk>;

/**
 * Why a file has no hunks to read although it changed. `too-large`, `too-many-files`, `filtered` and `unreadable` are limits of
 * ours; the others are facts about the file. With `too-many-files` the path is that of a folder and ends with a slash.
 */
export const Unreadable = z.enum([
  "binary",
  "submodule",
  "symlink",
  "lfs-pointer",
  "too-large",
  "too-many-files",
  "filtered",
  "unreadable",
  "mode-only",
]);
export type Unreadable = z.infer<typeof Unreadable>;

export const ChangedFile = z
  .object({
    /** Path at the head, or at the base for a deleted file. May hold any character but NUL. */
    path: z.string(),
    /** Path at the base; differs from `path` for renames and copies; null for an added file. */
    oldPath: z.string().nullable(),
    status: FileStatus,
    /** Git file modes as six octal digits; null when the side does not exist or is unknown. */
    oldMode: z.string().nullable(),
    newMode: z.string().nullable(),
    /** Object ids where known; null for a side that does not exist or is not in the object database. */
    oldBlob: z.string().nullable(),
    newBlob: z.string().nullable(),
    /** Counted over the whole diff, also where the hunks were not kept. Zero for binary files. */
    addedLines: count,
    removedLines: count,
    hunks: z.array(Hunk).readonly(),
    unreadable: Unreadable.nullable(),
    /** Lines (new side) longer than MAX_LINE_CHARS: their text was cut, so no rule reads them. */
    cutLines: z.array(count).readonly(),
  })
  .readonly();
export type ChangedFile = z.infer<typeof ChangedFile>;

export const Commit = z
  .object({ id: z.string(), subject: z.string(), body: z.string(), author: z.string() })
  .readonly();
export type Commit = z.infer<typeof Commit>;

export const ChangeKind = z.enum([
  "branch",
  "working-tree",
  "staged",
  "commit",
  "range",
  "diff",
  "pull-request",
]);
export type ChangeKind = z.infer<typeof ChangeKind>;

export const Change = z
  .object({
    kind: ChangeKind,
    /** For people: "feature/login against origin/main". */
    description: z.string(),
    /** Pull request title or the subject of the newest commit; may be empty. */
    title: z.string(),
    body: z.string(),
    /** Commit ids; null where there is none (a diff file, the empty tree, the working tree). */
    base: z.string().nullable(),
    head: z.string().nullable(),
    commits: z.array(Commit).readonly(),
    /** In git's order. */
    files: z.array(ChangedFile).readonly(),
    /** How the change was found, for people: "main is its own base: reviewing its last commit". */
    notes: z.array(z.string()).readonly(),
  })
  .readonly();
export type Change = z.infer<typeof Change>;
