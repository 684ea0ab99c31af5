/**
 * The scope of a model's review: for each hunk whether a model of an earlier run has read it. compare-scope.ts computes it; this
 * file has the types and the questions that are asked of it. Rules and linters have no scope: they read everything.
 */
import type { ChangedFile } from "./change.ts";
import { isChangedLine, type LineReading, UNREAD } from "./readings.ts";

/**
 * new: no earlier run had any of it. changed: an earlier run had some of it, or it lost lines since. moved: the same lines were
 * elsewhere. rebased: the same changed lines, among other context. carried: nothing differs.
 */
export type HunkStatus = "new" | "changed" | "moved" | "rebased" | "carried";

export type HunkScope = {
  readonly status: HunkStatus;
  /** How earlier runs have read each line of the hunk; null for context. */
  readonly readings: readonly (LineReading | null)[];
};

/** Why a model reads everything although there may be an earlier review. */
export type FullReason = "first" | "requested" | "config-changed" | "prior-unreachable" | "model-changed";

/** Some hunks of a file, by their numbers from 1, as models see them. */
export type FilePart = { readonly path: string; readonly hunks: readonly number[] };

export type Scope = {
  /** Null for a review of what is new. */
  readonly full: FullReason | null;
  /** The head of the last review; null when there is none. */
  readonly since: string | null;
  /** One entry per hunk, in order. A path without an entry is unread. */
  readonly byPath: ReadonlyMap<string, readonly HunkScope[]>;
};

export function fullScope(files: readonly ChangedFile[], full: FullReason, since: string | null): Scope {
  const byPath = new Map(
    files.map(({ path, hunks }) => [
      path,
      hunks.map(({ lines }): HunkScope => ({
        status: "new",
        readings: lines.map((line) => (isChangedLine(line) ? UNREAD : null)),
      })),
    ]),
  );
  return { full, since, byPath };
}

export function isHunkUnread({ readings }: HunkScope): boolean {
  return readings.some((reading) => reading !== null && reading.model === null);
}

/** The numbers of a file's hunks that are to be read. */
export type HunksToRead = (path: string) => readonly number[];

/** The hunks that no model has read completely. */
export function findUnreadHunks(
  files: readonly ChangedFile[],
  { byPath }: Pick<Scope, "byPath">,
): HunksToRead {
  const unread = new Map(
    files
      .filter(({ hunks }) => hunks.length > 0)
      .map(({ path, hunks }) => {
        const known = byPath.get(path) ?? [];
        const numbers = hunks.flatMap((_, index) => {
          const hunk = known[index];
          return hunk === undefined || isHunkUnread(hunk) ? [index + 1] : [];
        });
        return [path, numbers];
      }),
  );
  return (path) => unread.get(path) ?? [];
}

/** Whether a file has changed lines that no model has read. True for a file without hunks, which costs nothing. */
export function isFileUnread(path: string, { byPath }: Scope): boolean {
  const hunks = byPath.get(path);
  return hunks === undefined || hunks.length === 0 || hunks.some(isHunkUnread);
}

/** Whether a file has hunks that no earlier run had in this form. */
export function hasNewLines(path: string, { byPath }: Scope): boolean {
  return (byPath.get(path) ?? []).some(({ status }) => status === "new" || status === "changed");
}
