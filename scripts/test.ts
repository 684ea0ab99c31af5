/**
 * Runs the tests in a few processes at a time, the longest file first. Prints progress, every failure,
 * which promises are kept, and last one line `N passed, N failed, N skipped`.
 *
 *     npm test                                  the tier that guards every change
 *     npm test -- anchor replay                 files whose path contains one of the words, of both tiers
 *     npm test -- anchor --only "a title"       of these files, the tests with this title
 *     npm run test:all                          both tiers, every scene on both databases, then the quick benches
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { run } from "node:test";
import { parseArgs, promisify } from "node:util";
import { count } from "../src/base/count.ts";
import { isBuilt } from "./built.ts";
import { reportPromises } from "./promises.ts";
import { readDurations, writeDurations } from "./testing/durations.ts";
import { findTestFiles } from "./testing/find-files.ts";
import { installChromium } from "./testing/install-chromium.ts";
import { findNeeds } from "./testing/needs.ts";
import { planWork, type Work } from "./testing/plan-work.ts";
import { renderTotals, startReport } from "./testing/report.ts";
import { keepTemporaryFilesInMemory } from "./testing/temporary-folder.ts";

const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false }, only: { type: "string" } },
});
if (options.all) process.env["KODIAI_TEST_ALL"] = "1";

keepTemporaryFilesInMemory();

const files = findTestFiles(parts, options.all);

const needs = findNeeds(files);
// Installing it takes half a minute, in which the other tests run.
const chromium = needs.chromium ? installChromium() : Promise.resolve(null);
const building =
  needs.program && !isBuilt() ? promisify(execFile)(process.execPath, ["scripts/build.ts"]) : null;
// The cluster starts meanwhile, and doesn't stay behind when the build fails.
building?.catch(() => {});
const cluster = needs.postgres
  ? await (await import("../test/support/postgres/shared-cluster.ts")).startSharedCluster()
  : null;
await building?.catch(async (error: unknown) => {
  await cluster?.remove();
  throw error;
});

// Every test process loads much of the program. Compiled once, that takes half the time.
process.env["NODE_COMPILE_CACHE"] ??= resolve("node_modules/.cache/kodiai/compiled");

const durations = new Map(readDurations());
// Two more than there are processors, because tests also wait: for timers, leases and processes that start.
const processes = availableParallelism() + 2;
const planned = planWork(files, processes, durations);
const inBrowser = planned.filter(({ files: own }) => needs.chromium && findNeeds(own).chromium);
const others = planned.filter((work) => !inBrowser.includes(work));
let hasChromium = false;
void chromium.then(() => (hasChromium = true));
const report = startReport(files.length);
const testNamePatterns = options.only === undefined ? [] : [endsWith(options.only)];

async function runNext(): Promise<void> {
  for (let work = takeNext(); work !== undefined; work = takeNext()) await runOne(work);
}

/** Tests in a browser take long, so they begin as soon as there is one. */
function takeNext(): Work | undefined {
  const inOrder = hasChromium ? [inBrowser, others] : [others, inBrowser];
  return inOrder.find((each) => each.length > 0)?.shift();
}

async function runOne(work: Work): Promise<void> {
  const { entry, argv, files: inWork } = work;
  if (findNeeds(inWork).chromium) await chromium;
  const startedAt = performance.now();
  const hang = new AbortController();
  const events = run({
    files: [entry],
    argv,
    isolation: "process",
    concurrency: 1,
    signal: hang.signal,
    testNamePatterns,
  });
  const watched = report.watch(events, inWork, () => hang.abort());
  await once(events, "end");
  watched.end();
  const [only = ""] = inWork;
  if (inWork.length === 1) durations.set(only, Math.round(performance.now() - startedAt));
  else for (const file of inWork) durations.set(file, report.msOf(file));
}

/** The name of a test in a suite begins with the names of its suites. */
function endsWith(title: string): RegExp {
  return new RegExp(`${RegExp.escape(title)}$`);
}

await Promise.all(Array.from({ length: processes }, runNext));
const withoutBrowser = await chromium;
if (withoutBrowser !== null) console.log(`Tests in a browser were skipped: ${withoutBrowser}.`);
await cluster?.remove();
// Of a file of which only some tests ran, the duration says nothing.
if (options.only === undefined) writeDurations(durations);
const totals = report.end();
// A narrowed run says nothing about promises whose tests were left out.
const broken = parts.length === 0 && options.only === undefined ? reportPromises(report, options.all) : 0;
if (broken > 0) console.log(`${count(broken, "promise is", "promises are")} not kept`);
console.log(renderTotals(totals));
if (files.length === 0) console.log(`No test file has a path that contains: ${parts.join(", ")}`);
const isMissing = options.only !== undefined && !report.hasRun(options.only);
if (isMissing) console.log(`No test of the chosen files has the title: ${options.only}`);
process.exitCode = totals.failed > 0 || totals.passed === 0 || broken > 0 || isMissing ? 1 : 0;
