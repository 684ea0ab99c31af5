/** Decides from sizes which files of a change are compared line by line, and how to tell git so. */
import type { SizedEntry } from "./list-changed.ts";

/** How much git may be given, and how long it may take. */
export type DiffLimits = {
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  readonly maxCpuSeconds: number;
};

/**
 * Tried in turn. Two files of 8 MB can take git minutes when their lines are short and alike, and most take it milliseconds: when
 * the first limits are too generous for a change, only its small files are compared.
 */
export const DIFF_LIMITS: readonly DiffLimits[] = [
  { maxFileBytes: 8 * 1024 * 1024, maxTotalBytes: 128 * 1024 * 1024, maxCpuSeconds: 15 },
  { maxFileBytes: 128 * 1024, maxTotalBytes: 32 * 1024 * 1024, maxCpuSeconds: 15 },
];

/** Paths in the arguments of one command: far below what any system takes. */
const MAX_ARGUMENT_CHARS = 64 * 1024;

/** Splits the files into those that are compared and those that are too large; the smallest come first. */
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
 * Path arguments, one list for each run of git. With few paths to leave out git is told those and sees all renames; with many it is
 * told what to compare, part by part. Node cannot pass a name that is no UTF-8: to leave one out, the others are named.
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
