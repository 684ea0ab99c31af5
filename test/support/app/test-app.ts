/** Runs a scenario of the whole app in every way that it's deployed: on SQLite, and on PostgreSQL. */
import { test } from "node:test";
import { isAll, isLong } from "../extent.ts";
import { engineNamed } from "../queue-contract/engines.ts";
import { createScenario, type Scenario, type ScenarioOptions } from "./scenario.ts";

/** Enough to compete for jobs. Starting one takes as much CPU time as a review. */
const WORKER_PROCESSES = isLong ? 8 : 2;

type OpenScenario = (options?: ScenarioOptions) => Promise<Scenario>;

type Work = (openScenario: OpenScenario) => Promise<void>;

/**
 * A scenario that a promise names runs on both databases. On PostgreSQL, a server then only receives webhooks and other processes run
 * the jobs. For any other scenario the databases take turns, because the queue and the store have contract tests of their own.
 */
export function testApp(title: string, work: Work): void {
  if (!/\[P\d+\]/.test(title)) {
    testAppInTurn(title, work);
    return;
  }
  testOnFile(title, work);
  testOnPostgres(`[P19] ${title} (postgres, ${WORKER_PROCESSES} workers)`, work, WORKER_PROCESSES);
}

/** For scenarios about what is stored, and those in which the server itself must run the jobs: on both databases. */
export function testAppInOneProcess(title: string, work: Work): void {
  testOnFile(title, work);
  testOnPostgres(`${title} (postgres)`, work, 0);
}

let turns = 0;

/** The databases take turns, always in one process. With KODIAI_TEST_ALL, it runs on both. */
export function testAppInTurn(title: string, work: Work): void {
  if (isAll) testAppInOneProcess(title, work);
  else if (turns++ % 2 === 0) testOnFile(title, work);
  else testOnPostgres(`${title} (postgres)`, work, 0);
}

function testOnFile(title: string, work: Work): void {
  test(title, (t) => work((options) => createScenario(t, options)));
}

function testOnPostgres(title: string, work: Work, workerProcesses: number): void {
  const engine = engineNamed("postgres");
  test(title, (t) => work((options) => createScenario(t, { engine, workerProcesses, ...options })));
}
