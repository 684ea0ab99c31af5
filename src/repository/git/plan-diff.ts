/** Decides by size which files of a change are compared line by line, and builds the path arguments for git. */
import type { SizedEntry } from "./list-changed.ts";

/** Limits on the size of a diff and on its CPU time. */
export type DiffLimits = {
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  readonly maxCpuSeconds: number;
};

/**
 * Tried in order. Most pairs of 8 MB files take git milliseconds, but short, similar lines can take minutes. If a change
 * exceeds the first limits, only its small files are compared.
 */
export const DIFF_LIMITS: readonly DiffLimits[] = [
  { maxFileBytes: 8 * 1024 * 1024, maxTotalBytes: 128 * 1024 * 1024, maxCpuSeconds: 15 },
  { maxFileBytes: 128 * 1024, maxTotalBytes: 32 * 1024 * 1024, maxCpuSeconds: 15 },
];

/** Characters of paths per command: far below the limit of any system. */
const MAX_ARGUMENT_CHARS = 64 * 1024;

/** Splits the files into those to compare and those that are too large, preferring small ones. */
export function fitDiff(
  entries: readonly SizedEntry[],
  { maxFileBytes, maxTotalBytes }: DiffLimits,
): { readonly kept: readonly SizedEntry[]; readonly tooLarge: readonly SizedEntry[] } {
  let total = 0;
  const fitting = new Set<SizedEntry>();
  for (const entry of entries.toSorted((a, b) => a.bytes - b.bytes)) {
    total += entry.bytes;
    if (entry.bytes > maxFileBytes || total > maxTotalBytes) break;
    fitting.add(entry);
  }
  return {
    kept: entries.filter((entry) => fitting.has(entry)),
    tooLarge: entries.filter((entry) => !fitting.has(entry)),
  };
}

/**
 * Returns path arguments, one list per run of git. If few paths are left out, git excludes them and sees all renames. If many
 * are, git gets the paths to compare, in parts. Node can't pass names that aren't UTF-8, so to leave one out, the others are
 * listed.
 */
export function pathArguments(
  kept: readonly string[],
  leftOut: readonly string[],
): readonly (readonly string[])[] {
  if (leftOut.length === 0) return [[]];
  if (kept.length === 0) return [];
  const chars = leftOut.reduce((sum, path) => sum + path.length, 0);
  if (chars <= MAX_ARGUMENT_CHARS && leftOut.every((path) => path.isWellFormed()))
    return [leftOut.map((path) => `:(top,exclude,literal)${path}`)];
  const runs: string[][] = [];
  let room = 0;
  for (const path of kept) {
    if (runs.length === 0 || path.length > room) {
      runs.push([]);
      room = MAX_ARGUMENT_CHARS;
    }
    room -= path.length;
    runs.at(-1)?.push(`:(top,literal)${path}`);
  }
  return runs;
}
