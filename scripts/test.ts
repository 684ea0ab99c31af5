/**
 * Runs the tests in a few processes at a time, the longest file first. Prints progress, every failure,
 * which promises are kept, and last one line `N passed, N failed, N skipped`. Arguments narrow the files by path.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { run } from "node:test";
import { count } from "../src/base/count.ts";
import { reportPromises } from "./promises.ts";
import { readDurations, writeDurations } from "./testing/durations.ts";
import { findNeeds } from "./testing/needs.ts";
import { planWork, type Work } from "./testing/plan-work.ts";
import { renderTotals, startReport } from "./testing/report.ts";

const wanted = process.argv.slice(2);
const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts", "fake-github/**/*.test.ts"])
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .toSorted();

const needs = findNeeds(files);
if (needs.program) execFileSync(process.execPath, ["scripts/build.ts"], { stdio: "inherit" });
const cluster = needs.postgres
  ? await (await import("../test/support/postgres/shared-cluster.ts")).startSharedCluster()
  : null;

// Every test process loads much of the program. Compiled once, that takes half the time.
process.env["NODE_COMPILE_CACHE"] ??= resolve("node_modules/.cache/kodiai/compiled");

const durations = new Map(readDurations());
// One more than there are processors, because tests also wait: for timers, leases and processes that start.
const processes = availableParallelism() + 1;
const waiting = [...planWork(files, processes, durations)];
const report = startReport(files.length);

async function runNext(): Promise<void> {
  for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await runOne(work);
}

async function runOne({ entry, argv, files: inWork }: Work): Promise<void> {
  const startedAt = performance.now();
  const events = run({ files: [entry], argv, isolation: "process", concurrency: 1 });
  report.watch(events);
  await once(events, "end");
  report.countFiles(inWork.length);
  const [only = ""] = inWork;
  if (inWork.length === 1) durations.set(only, Math.round(performance.now() - startedAt));
  else for (const file of inWork) durations.set(file, report.msOf(file));
}

await Promise.all(Array.from({ length: processes }, runNext));
await cluster?.remove();
writeDurations(durations);
const totals = report.end();
// A narrowed run says nothing about promises whose tests were left out.
const broken = wanted.length === 0 ? reportPromises(report) : 0;
if (broken > 0) console.log(`${count(broken, "promise is", "promises are")} not kept`);
console.log(renderTotals(totals));
process.exitCode = totals.failed > 0 || totals.passed === 0 || broken > 0 ? 1 : 0;
