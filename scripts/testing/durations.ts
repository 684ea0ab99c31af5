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

/** Files with more work than their size suggests. On a fresh clone they would start last. */
const LONG_WORK: Durations = new Map([
  ["test/thorough/linear-rules.test.ts", 150_000],
  ["test/thorough/models-injection.test.ts", 140_000],
  ["test/thorough/queue-processes.test.ts", 100_000],
  ["test/thorough/github-app-crashes.test.ts", 100_000],
  ["test/thorough/github-app-unfinished.test.ts", 100_000],
  ["test/thorough/mentions-write.test.ts", 100_000],
  ["test/thorough/models.test.ts", 60_000],
  ["test/thorough/github-app-gates.test.ts", 60_000],
  ["test/thorough/forge-github-publish.test.ts", 60_000],
  ["test/thorough/github-app.test.ts", 50_000],
  ["test/thorough/github-app-faults.test.ts", 50_000],
  ["test/thorough/memory-command.test.ts", 50_000],
  ["test/queue.test.ts", 50_000],
  ["test/thorough/migrate.test.ts", 40_000],
  ["test/thorough/move-store.test.ts", 40_000],
  ["test/forge-github-publish.test.ts", 40_000],
  ["test/store-postgres.test.ts", 40_000],
  ["test/e2e/github-app.test.ts", 35_000],
  ["test/thorough/hostile-formats.test.ts", 30_000],
  ["test/thorough/config-keys.test.ts", 30_000],
  ["test/thorough/recording.test.ts", 30_000],
  ["test/models.test.ts", 30_000],
  ["test/no-false-all-clear.test.ts", 25_000],
  ["test/e2e/memory-command.test.ts", 25_000],
  ["test/e2e/replay.test.ts", 25_000],
  ["test/e2e/dependencies.test.ts", 25_000],
  ["test/e2e/review-pull-request.test.ts", 20_000],
  ["test/vectors.test.ts", 20_000],
  ["test/e2e/action-pull-request.test.ts", 25_000],
  ["test/e2e/verification.test.ts", 25_000],
  ["test/e2e/action-inputs.test.ts", 15_000],
  ["test/e2e/doctor-repository.test.ts", 15_000],
  ["test/e2e/doctor.test.ts", 15_000],
  ["test/e2e/action-hostile.test.ts", 12_000],
  ["test/e2e/backup.test.ts", 12_000],
  ["src/store/move/move-store.test.ts", 20_000],
  ["src/jobs/recording/recording.test.ts", 20_000],
]);

/** Milliseconds that a file takes: those of the last run, or a guess from its size. */
export function estimateMs(file: string, known: Durations): number {
  // End-to-end tests take about a millisecond per byte on two cores, all others less.
  return (
    known.get(file) ??
    LONG_WORK.get(file) ??
    statSync(file).size / (/\/(?:e2e|thorough)\//.test(file) ? 1 : 4)
  );
}
