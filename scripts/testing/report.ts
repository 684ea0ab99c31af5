/** Counts the tests of a run, and prints how far it is and every failure with all details. */
import { relative, resolve } from "node:path";
import type { run } from "node:test";
import { inspect } from "node:util";

/** Often enough to see that the run is alive, seldom enough to be read in a log. */
const PROGRESS_EVERY_MS = 5_000;

/** Prints passing tests too. */
const IS_VERBOSE = process.env["KODIAI_TEST_VERBOSE"] === "1";

export type Report = {
  /** Names of the tests and suites that passed and failed, one entry each. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly watch: (events: ReturnType<typeof run>) => void;
  readonly countFiles: (count: number) => void;
  /** Milliseconds that the tests of a file took. */
  readonly msOf: (file: string) => number;
  /** Stops the progress lines. The numbers of tests. */
  readonly end: () => Totals;
};

export type Totals = { readonly passed: number; readonly failed: number; readonly skipped: number };

export function startReport(fileCount: number): Report {
  const passed: string[] = [];
  const failed: string[] = [];
  const totals = { passed: 0, failed: 0, skipped: 0 };
  const msByFile = new Map<string, number>();
  let filesDone = 0;
  const startedAt = performance.now();
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    console.log(`${filesDone} of ${fileCount} files, ${renderTotals(totals)}, ${seconds} s`);
  }, PROGRESS_EVERY_MS);

  return {
    passed,
    failed,
    watch(events) {
      events.on("test:pass", ({ name, file = "", nesting, skip, details }) => {
        if (nesting === 0) msByFile.set(file, (msByFile.get(file) ?? 0) + details.duration_ms);
        if (skip === undefined) passed.push(name);
        // A suite counts through its tests.
        if (details.type === "suite") return;
        totals[skip === undefined ? "passed" : "skipped"]++;
        if (IS_VERBOSE) console.log(`${skip === undefined ? "passed" : "skipped"}: ${name}`);
      });
      events.on("test:fail", ({ name, file = "", line = 0, details: { type, error } }) => {
        failed.push(name);
        if (type === "suite") return;
        totals.failed++;
        console.log(`FAILED: ${name}\n  ${relative("", file)}:${line}\n${inspect(error.cause ?? error)}\n`);
      });
      events.on("test:stdout", ({ message }) => void process.stdout.write(message));
      events.on("test:stderr", ({ message }) => void process.stderr.write(message));
      events.on("test:diagnostic", ({ message, nesting, file = "" }) => {
        // Tests print figures this way. The runner prints totals of a process, which are not news.
        if (nesting > 0) console.log(`${relative("", file)}: ${message}`);
      });
      // Events are heard above; a stream that isn't read would stop.
      events.resume();
    },
    countFiles(count) {
      filesDone += count;
    },
    msOf: (file) => Math.round(msByFile.get(resolve(file)) ?? 0),
    end() {
      clearInterval(progress);
      return totals;
    },
  };
}

export function renderTotals({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
