/**
 * The RepositoryHistory port: the commits of a repository on this machine, for building evaluation sets. It never writes. Failures that a
 * user can fix are KodiaiErrors.
 */
import type { ChangedFile } from "../review/change/change.ts";

export type HistoryCommit = {
  readonly id: string;
  /** The first one is the mainline that a merge went into. */
  readonly parents: readonly string[];
  /** Of the committer, in milliseconds since 1970. */
  readonly atMs: number;
  readonly author: string;
  readonly authorEmail: string;
  readonly subject: string;
  readonly body: string;
};

/** Where a line comes from: the commit of the mainline that added it, and its place there. */
export type LineOrigin = { readonly commit: string; readonly path: string; readonly line: number };

export type TracedRange = { readonly first: number; readonly last: number };

export type RepositoryHistory = {
  /** The folder of git. */
  readonly gitFolder: string;
  /** The root of the work tree; null for a bare repository. */
  readonly root: string | null;
  /** The id of the commit that a full ref or an id names; null without one. */
  findCommit(ref: string): Promise<string | null>;
  /** Null if the two have no history in common. */
  findMergeBase(a: string, b: string): Promise<string | null>;
  /** The commits that `from` and its first parents are, newest first. `grep` limits them to messages with one of these texts. */
  listMainline(wanted: {
    readonly from: string;
    readonly sinceMs: number | null;
    readonly max: number;
    readonly grep?: readonly string[];
  }): Promise<readonly HistoryCommit[]>;
  /** Null without such a file. */
  readText(commit: string, path: string, maxChars: number): Promise<string | null>;
  /** The files below a folder, as paths from the root. */
  listFiles(commit: string, folder: string): Promise<readonly string[]>;
  /** The changes from `base` to `head`, without lines of context. */
  readDiff(base: string, head: string): Promise<readonly ChangedFile[]>;
  /** The origins of lines of a file at a commit, along first parents. Moved and copied lines keep their origin. */
  findOrigins(commit: string, path: string, ranges: readonly TracedRange[]): Promise<readonly LineOrigin[]>;
};
