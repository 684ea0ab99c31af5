/** Counts the tests of a run, and prints how far it is and every failure with all details, at once and again at the end. */
import { relative, resolve } from "node:path";
import type { run } from "node:test";
import { inspect } from "node:util";

/** Often enough to see that the run is alive, seldom enough to be read in a log. */
const PROGRESS_EVERY_MS = 5_000;

/** A test that hangs says nothing. The longest takes under a minute on idle cores, and a busy machine may be ten times slower. */
const HANG_MS = 15 * 60_000;

/** Prints passing tests too. */
const IS_VERBOSE = process.env["KODIAI_TEST_VERBOSE"] === "1";

type Events = ReturnType<typeof run>;

export type Report = {
  /** Names of the tests and suites that passed and failed, one entry each. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Counts what a process that runs `files` reports. Calls `abort` if no test of it ends for a long time. */
  readonly watch: (events: Events, files: readonly string[], abort: () => void) => Watched;
  /** Milliseconds that the tests of a file took. */
  readonly msOf: (file: string) => number;
  /** Whether a test with this title ran or was skipped. A file without any counts as one test with its path as the name. */
  readonly hasRun: (title: string) => boolean;
  /** Stops the progress lines, and repeats the failures. The numbers of tests. */
  readonly end: () => Totals;
};

/** One process: `end` counts its files as done. */
type Watched = { readonly end: () => void };

export type Totals = { readonly passed: number; readonly failed: number; readonly skipped: number };

export function startReport(fileCount: number): Report {
  const passed: string[] = [];
  const failed: string[] = [];
  const failures: string[] = [];
  const names = new Set<string>();
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
    watch(events, files, abort) {
      const begun = new Set<string>();
      let running = "";
      let doneHere = 0;
      const countDone = (done: number): void => {
        filesDone += done - doneHere;
        doneHere = done;
      };
      const hang = setTimeout(() => {
        // The runner then says that the process was aborted, and not in which test.
        console.log(`HANGS: no test ended in ${HANG_MS / 60_000} minutes; it was running: ${running}`);
        abort();
      }, HANG_MS);
      events.on("test:dequeue", ({ name, file = "" }) => {
        hang.refresh();
        running = name;
        // Files of one process run one after the other: when one begins, those before it are done.
        begun.add(file);
        if (files.length > 1) countDone(Math.max(doneHere, begun.size - 2));
      });
      events.on("test:pass", ({ name, file = "", nesting, skip, details }) => {
        hang.refresh();
        if (nesting === 0) msByFile.set(file, (msByFile.get(file) ?? 0) + details.duration_ms);
        if (skip === undefined) passed.push(name);
        names.add(name);
        // A suite counts through its tests.
        if (details.type === "suite") return;
        totals[skip === undefined ? "passed" : "skipped"]++;
        if (IS_VERBOSE)
          console.log(
            `${skip === undefined ? "passed" : "skipped"}: ${name} (${Math.round(details.duration_ms)} ms, ${relative("", file)})`,
          );
      });
      events.on("test:fail", ({ name, file = "", line = 0, details: { type, error } }) => {
        hang.refresh();
        failed.push(name);
        names.add(name);
        if (type === "suite") return;
        totals.failed++;
        const failure = renderFailure({ name, path: relative("", file), line, error });
        failures.push(failure);
        console.log(failure);
      });
      events.on("test:stdout", ({ message }) => void process.stdout.write(message));
      events.on("test:stderr", ({ message }) => void process.stderr.write(message));
      events.on("test:diagnostic", ({ message, nesting, file = "" }) => {
        // Tests print figures this way. The runner prints totals of a process, which are not news.
        if (nesting > 0) console.log(`${relative("", file)}: ${message}`);
      });
      // Events are heard above; a stream that isn't read would stop.
      events.resume();
      return {
        end() {
          clearTimeout(hang);
          countDone(files.length);
        },
      };
    },
    msOf: (file) => Math.round(msByFile.get(resolve(file)) ?? 0),
    // The title may begin with the names of the test's suites.
    hasRun: (title) => [...names].some((name) => title.endsWith(name) || name.endsWith(title)),
    end() {
      clearInterval(progress);
      if (failures.length > 0) console.log(`\nAll failures again:\n\n${failures.join("\n")}`);
      return totals;
    },
  };
}

type Failure = {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly error: Error;
};

export function renderFailure({ name, path, line, error }: Failure): string {
  const title = `'${name.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `FAILED: ${name}`,
    `  ${path}:${line}`,
    `  again: npm test -- ${path} --only ${title}`,
    inspect(error.cause ?? error),
    "",
  ].join("\n");
}

export function renderTotals({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
