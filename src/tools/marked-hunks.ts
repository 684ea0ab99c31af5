/** Reads from the notebook which hunks a model has marked as read. */
import type { FilePart, HunksToRead } from "../review/change/scope.ts";
import type { NumberedEntry } from "./notebook.ts";

/** Numbers of hunks by path. */
export type HunkNumbers = ReadonlyMap<string, ReadonlySet<number>>;

/** The hunks that were marked since the last attempt of this pass ended. Earlier attempts were those of other models. */
export function markedHunks(
  pass: string,
  entries: readonly NumberedEntry[],
  hunksToRead: HunksToRead,
): HunkNumbers {
  const own = entries.filter((entry) => entry.pass === pass);
  const ended = own.findLastIndex(({ kind }) => kind === "outcome");
  return joinParts(
    own.slice(ended + 1).flatMap((entry) => (entry.kind === "reviewed" ? partsOf(entry, hunksToRead) : [])),
  );
}

/** Whole files as parts with all hunks that are to be read. */
export function partsOf(
  { paths, parts = [] }: { readonly paths: readonly string[]; readonly parts?: readonly FilePart[] },
  hunksToRead: HunksToRead,
): readonly FilePart[] {
  return [...paths.map((path) => ({ path, hunks: hunksToRead(path) })), ...parts];
}

export function joinParts(parts: readonly FilePart[]): HunkNumbers {
  const byPath = Map.groupBy(parts, ({ path }) => path);
  return new Map([...byPath].map(([path, own]) => [path, new Set(own.flatMap(({ hunks }) => hunks))]));
}
