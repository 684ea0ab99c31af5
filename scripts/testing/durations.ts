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
  ["test/thorough/migrate.test.ts", 40_000],
  ["test/thorough/move-store.test.ts", 40_000],
  ["test/thorough/hostile-formats.test.ts", 30_000],
  ["test/thorough/config-keys.test.ts", 30_000],
  ["test/thorough/recording.test.ts", 30_000],
  ["test/queue.test.ts", 53_000],
  ["test/store-postgres.test.ts", 45_000],
  ["test/models.test.ts", 44_000],
  ["test/e2e/setup.test.ts", 38_000],
  ["test/reader.test.ts", 37_000],
  ["test/e2e/github-app.test.ts", 34_000],
  ["test/no-false-all-clear.test.ts", 29_000],
  ["test/vectors.test.ts", 28_000],
  ["test/dashboard-browser.test.ts", 20_000],
  ["test/e2e/containment.test.ts", 19_000],
  ["test/e2e/doctor-repository.test.ts", 16_000],
  ["test/e2e/github-app-healing.test.ts", 15_000],
  ["src/repository/git/open-repository.test.ts", 35_000],
  ["src/jobs/recording/recording.test.ts", 31_000],
  ["src/store/move/move-store.test.ts", 26_000],
  ["src/rules/checks/rules.test.ts", 25_000],
  ["src/model/ai-sdk/ai-sdk-model.test.ts", 22_000],
  ["src/tools/review-tools.test.ts", 20_000],
]);

/** Milliseconds that a file takes: those of the last run, or a guess from its size. */
export function estimateMs(file: string, known: Durations): number {
  // On two cores, end-to-end tests take about 5 ms per byte, those of other folders of test/ 2, and unit tests a quarter.
  return known.get(file) ?? LONG_WORK.get(file) ?? statSync(file).size * msPerByte(file);
}

function msPerByte(file: string): number {
  if (/\/(?:e2e|thorough)\//.test(file)) return 5;
  return file.startsWith("test/") ? 2 : 0.25;
}
