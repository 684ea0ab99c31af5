/**
 * The change under review as one readonly value: title and description, commits, files and their hunks. `repository`
 * creates it from git, or parse-diff.ts from a diff. The core needs nothing else. Import the types with `import type`: a
 * schema loads zod, which only a recording needs.
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
 * Why a changed file has no hunks. `too-large`, `too-many-files`, `filtered` and `unreadable` are Kodiai's limits; the
 * others are facts about the file. With `too-many-files`, the path is a folder and ends with a slash.
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
    /** Path at the head, or at the base for a deleted file. May contain any character except NUL. */
    path: z.string(),
    /** Path at the base; differs from `path` for renames and copies; null for an added file. */
    oldPath: z.string().nullable(),
    status: FileStatus,
    /** Git file modes as six octal digits; null when the side doesn't exist or is unknown. */
    oldMode: z.string().nullable(),
    newMode: z.string().nullable(),
    /** Object ids; null for a side that doesn't exist or isn't in the object database. */
    oldBlob: z.string().nullable(),
    newBlob: z.string().nullable(),
    /** Counted over the whole diff, even if its hunks weren't kept. Zero for binary files. */
    addedLines: count,
    removedLines: count,
    hunks: z.array(Hunk).readonly(),
    unreadable: Unreadable.nullable(),
    /** Lines on the new side that are longer than MAX_LINE_CHARS. Their text was cut, so only few rules read what is left. */
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
    /** Commit ids; null for a diff file, the empty tree and the working tree. */
    base: z.string().nullable(),
    head: z.string().nullable(),
    /** The tip of a pull request's base branch, which may be newer than `base`. Left out for other changes. */
    baseTip: z.string().exactOptional(),
    commits: z.array(Commit).readonly(),
    /** In git's order. */
    files: z.array(ChangedFile).readonly(),
    /** How the change was found, for people: "main is its own base: reading its last commit". */
    notes: z.array(z.string()).readonly(),
  })
  .readonly();
export type Change = z.infer<typeof Change>;
