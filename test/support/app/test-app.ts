/** Runs a test of the whole app in every way that it is deployed: one process with a file, and many with PostgreSQL. */
import { test } from "node:test";
import { engineNamed } from "../queue-contract/engines.ts";
import { createScenario, type Scenario, type ScenarioOptions } from "./scenario.ts";

const WORKER_PROCESSES = 8;

type OpenScenario = (options?: ScenarioOptions) => Promise<Scenario>;

type Work = (openScenario: OpenScenario) => Promise<void>;

/** On PostgreSQL a server that only takes webhooks, and many processes that only run jobs. */
export function testApp(title: string, work: Work): void {
  testOnFile(title, work);
  testOnPostgres(`${title} (postgres, ${WORKER_PROCESSES} workers)`, work, WORKER_PROCESSES);
}

/** For what nobody could tell from outside who ran the job: processes take seconds to start. */
export function testAppInOneProcess(title: string, work: Work): void {
  testOnFile(title, work);
  testOnPostgres(`${title} (postgres)`, work, 0);
}

/** By the title alone: promises are held by tests of that name. */
function testOnFile(title: string, work: Work): void {
  test(title, (t) => work((options) => createScenario(t, options)));
}

function testOnPostgres(title: string, work: Work, workerProcesses: number): void {
  const engine = engineNamed("postgres");
  test(title, (t) => work((options) => createScenario(t, { engine, workerProcesses, ...options })));
}
