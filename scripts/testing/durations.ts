/** Remembers how long each test file took, so that the next run can start the longest ones first. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const CACHE = "node_modules/.cache/kodiai/test-durations.json";

/** Milliseconds by path. */
export type Durations = ReadonlyMap<string, number>;

export function readDurations(): Durations {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(CACHE, "utf8")) as Record<string, number>));
  } catch {
    // This is the first run, or the file is damaged: a guess is good enough.
    return new Map();
  }
}

export function writeDurations(durations: Durations): void {
  mkdirSync(dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify(Object.fromEntries(durations), null, 1));
}

/** Short files with long work: they run every rule. On a fresh clone they would start last. */
const LONG_WORK: Durations = new Map([
  ["test/linear-rules.test.ts", 300_000],
  ["src/review/floor/rules/rules.test.ts", 75_000],
]);

/** Milliseconds that a file takes: those of the last run, or a guess from its size. */
export function estimateMs(file: string, known: Durations): number {
  // End-to-end tests take about a millisecond per byte on two cores, all others less.
  return known.get(file) ?? LONG_WORK.get(file) ?? statSync(file).size / (file.includes("/e2e/") ? 1 : 4);
}
