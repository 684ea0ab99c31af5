/**
 * Runs the tests: unit tests in one process (fast), then those that start processes and repositories of their own, each
 * file in its own process. Ends with one line `N passed, N failed, N skipped`. Arguments narrow the files by name.
 */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { startCluster } from "../test/support/postgres/cluster.ts";
import { SHARED_CLUSTER } from "../test/support/postgres/shared-cluster.ts";
import { reportPromises } from "./promises.ts";

// The program is tested as it is published.
execFileSync(process.execPath, ["scripts/build.ts"], { stdio: "inherit" });

// A real PostgreSQL for all of them, with a database for each that wants one.
const cluster = await startCluster({ isDurable: false });
process.env[SHARED_CLUSTER] = cluster.url("postgres");

const wanted = process.argv.slice(2);
const isWanted = (file: string): boolean => wanted.length === 0 || wanted.some((part) => file.includes(part));

const suites = [
  { files: globSync("src/**/*.test.ts"), isolation: "none" },
  { files: globSync("{test,fake-github}/**/*.test.ts"), isolation: "process" },
] as const;

let passed = 0;
let failed = 0;
let skipped = 0;
const passedNames = new Set<string>();
const failedNames = new Set<string>();
for (const { files, isolation } of suites) {
  const chosen = files.filter(isWanted).toSorted();
  if (chosen.length === 0) continue;
  const stream = run({ files: chosen, isolation, concurrency: isolation === "process" ? 2 : false });
  stream.on("test:pass", (event) => {
    // Suites count through their tests.
    if (event.details.type === "suite") return;
    if (event.skip !== undefined) {
      skipped++;
      return;
    }
    passed++;
    passedNames.add(event.name);
  });
  stream.on("test:fail", (event) => {
    if (event.details.type === "suite") return;
    failed++;
    failedNames.add(event.name);
  });
  const reporter = new spec();
  // Only what went wrong and the totals: thousands of passing tests are not news.
  const isNews = process.env["KODIAI_TEST_VERBOSE"] === "1";
  for await (const event of stream) {
    if (isNews || event.type !== "test:pass") reporter.write(event);
  }
  reporter.end();
  for await (const text of reporter) process.stdout.write(String(text));
}
await cluster.remove();
// Some of the tests say nothing about promises whose tests were not asked for.
const broken = wanted.length === 0 ? reportPromises(passedNames, failedNames) : 0;
if (broken > 0) console.log(`${broken} promises are not kept`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 || broken > 0 ? 1 : 0;
