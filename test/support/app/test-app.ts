/** Runs a scenario of the whole app in every way that it's deployed: on SQLite, and on PostgreSQL. */
import { test } from "node:test";
import { isAll } from "../extent.ts";
import { engineNamed } from "../queue-contract/engines.ts";
import { createScenario, type Scenario, type ScenarioOptions } from "./scenario.ts";

/** Enough to compete for jobs. Starting one takes as much CPU time as a review. */
const WORKER_PROCESSES = 2;

type OpenScenario = (options?: ScenarioOptions) => Promise<Scenario>;

type Work = (openScenario: OpenScenario) => Promise<void>;

/**
 * A scenario that a promise names. On PostgreSQL, a server then only receives webhooks and other processes run the jobs. Any other
 * scenario runs in one process.
 */
export function testApp(title: string, work: Work): void {
  if (!/\[P\d+\]/.test(title)) {
    testAppInOneProcess(title, work);
    return;
  }
  onDatabases(
    () => testOnFile(title, work),
    () => testOnPostgres(`[P19] ${title} (postgres, ${WORKER_PROCESSES} workers)`, work, WORKER_PROCESSES),
  );
}

/** For scenarios in which the server itself must run the jobs. */
export function testAppInOneProcess(title: string, work: Work): void {
  onDatabases(
    () => testOnFile(title, work),
    () => testOnPostgres(`${title} (postgres)`, work, 0),
  );
}

let turns = 0;

/** The databases take turns, because the queue and the store have contract tests of their own. `npm run test:all` runs both. */
function onDatabases(onFile: () => void, onPostgres: () => void): void {
  const turn = turns++ % 2;
  if (isAll || turn === 0) onFile();
  if (isAll || turn === 1) onPostgres();
}

function testOnFile(title: string, work: Work): void {
  test(title, (t) => work((options) => createScenario(t, options)));
}

function testOnPostgres(title: string, work: Work, workerProcesses: number): void {
  const engine = engineNamed("postgres");
  test(title, (t) => work((options) => createScenario(t, { engine, workerProcesses, ...options })));
}
