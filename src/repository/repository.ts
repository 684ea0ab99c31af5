/**
 * The Repository port: what a review may ask of version control. Reading only: nothing here writes to the repository,
 * runs a hook, a filter driver of ours, or code of the change. Failures a person can mend are KodiaiErrors.
 */
import type { Change } from "../review/change/change.ts";

/** Which change is meant. Refs are as a person typed them. */
export type ChangeRequest =
  | { readonly kind: "current"; readonly base: string | null }
  | { readonly kind: "staged" }
  | { readonly kind: "commit"; readonly ref: string }
  | { readonly kind: "range"; readonly range: string };

/** Where a file is read: a commit, the index, or the files on disk. */
export type Revision = { readonly commit: string } | "index" | "working-tree";

export type GrepHit = { readonly path: string; readonly line: number; readonly text: string };

export type Repository = {
  /** Root of the work tree; null for a bare repository. */
  readonly root: string | null;
  readonly isShallow: boolean;
  readChange(request: ChangeRequest): Promise<Change>;
  /** Texts as latin1 (one character per byte); files that are missing, not regular, or over `maxBytes` are left out. */
  readFiles(
    revision: Revision,
    paths: readonly string[],
    maxBytes: number,
  ): Promise<ReadonlyMap<string, string>>;
  /** Blobs by id, likewise. */
  readBlobs(ids: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, string>>;
  /** Every path of a revision in git's order, at most `maxPaths`; null when there are more. */
  listPaths(revision: Revision, maxPaths: number): Promise<readonly string[] | null>;
  /** Lines of tracked text files that hold the fixed string, at most `maxHits`. */
  grep(commit: string, fixed: string, maxHits: number): Promise<readonly GrepHit[]>;
  close(): void;
};
