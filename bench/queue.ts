/**
 * Measures jobs per second through the queue, compared with bare durable commits on the same disk, and how the cost of a job grows with
 * the number of queued jobs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { QUEUE_DEFAULTS, type Queue } from "../src/queue/queue.ts";
import { createSqliteQueue } from "../src/queue/sqlite/sqlite-queue.ts";
import { openStore, type Store } from "../src/store/store.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { nextRequest } from "./support/sample-jobs.ts";

const ROUNDS = 5;
const ROUND_MS = 1_000;
const CALLERS = [1, 8, 16] as const;
const BACKLOGS = [1_000, 10_000, 100_000] as const;
const SLICES = 50;
/** Of each slice. The others of a larger slice are worked off many at a time, because a commit of its own for each takes minutes. */
const MEASURED = 20;
const UNMEASURED_AT_ONCE = 50;
const ENQUEUED_AT_ONCE = 500;
const WORKER = { worker: "bench", lanes: null } as const;
const DONE = { state: "done", reason: "published" } as const;

/** Measures one-row transactions per second with the queue's durability. */
function rawCommits(folder: string): number {
  const database = new DatabaseSync(join(folder, `raw-${crypto.randomUUID()}.db`));
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; create table rows (id integer primary key, text text)",
  );
  const [begin, insert, commit] = [
    database.prepare("begin immediate"),
    database.prepare("insert into rows (text) values (?)"),
    database.prepare("commit"),
  ];
  const startedAt = performance.now();
  let commits = 0;
  while (performance.now() - startedAt < ROUND_MS) {
    begin.run();
    insert.run("one row of about the length of a line");
    commit.run();
    commits++;
  }
  database.close();
  return (commits * 1_000) / ROUND_MS;
}

/** Measures jobs per second with concurrent callers that each enqueue, claim and complete one job at a time. */
async function jobsThrough(callers: number, store: Store, queue: Queue): Promise<number> {
  const startedAt = performance.now();
  let jobs = 0;
  const call = async (): Promise<void> => {
    while (performance.now() - startedAt < ROUND_MS) {
      await store.database.transaction((sql) => queue.enqueue([nextRequest()], sql));
      const claim = await queue.claim(WORKER);
      if (claim === null) throw new Error("a job that was enqueued could not be claimed");
      if (!(await queue.complete(claim, DONE))) throw new Error("a lease was lost");
      jobs++;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (jobs * 1_000) / ROUND_MS;
}

async function fill(backlog: number, store: Store, queue: Queue): Promise<void> {
  for (let left = backlog; left > 0; left -= ENQUEUED_AT_ONCE) {
    const requests = Array.from({ length: Math.min(left, ENQUEUED_AT_ONCE) }, nextRequest);
    await store.database.transaction((sql) => queue.enqueue(requests, sql));
  }
}

/** Microseconds per job to work off so many, one worker, every call its own. */
async function workOff(jobs: number, queue: Queue): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < jobs; index++) await workOffOne(queue);
  return ((performance.now() - startedAt) * 1_000) / jobs;
}

async function workOffUnmeasured(jobs: number, queue: Queue): Promise<void> {
  for (let left = jobs; left > 0; left -= UNMEASURED_AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(left, UNMEASURED_AT_ONCE) }, () => workOffOne(queue)));
}

async function workOffOne(queue: Queue): Promise<void> {
  const claim = await queue.claim(WORKER);
  if (claim === null) throw new Error("a queued job could not be claimed");
  await queue.complete(claim, DONE);
}

export async function queue(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  try {
    await measureRates(folder);
    await measureBacklogs(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openQueue(folder: string): Promise<{ readonly store: Store; readonly queue: Queue }> {
  const store = await openStore(`sqlite:${join(folder, `queue-${crypto.randomUUID()}.db`)}`);
  const options = { ...QUEUE_DEFAULTS, groupLimit: 100 };
  return { store, queue: createSqliteQueue(store.database, options, Date.now) };
}

async function measureRates(folder: string): Promise<void> {
  const raw: number[] = [];
  const rates = new Map(CALLERS.map((callers) => [callers, [] as number[]]));
  const { store, queue } = await openQueue(folder);
  for (let round = 0; round < ROUNDS; round++) {
    raw.push(rawCommits(folder));
    for (const callers of CALLERS) rates.get(callers)?.push(await jobsThrough(callers, store, queue));
  }
  await store.close();
  const show = (what: string, perSecond: number): void =>
    console.log(`  ${what.padEnd(52)} ${perSecond.toFixed(0).padStart(8)} /s`);
  const baseline = median(raw);
  show("durable one-row commits (baseline)", baseline);
  for (const [callers, values] of rates) {
    const rate = median(values);
    show(`jobs enqueued, claimed and completed, ${callers} at a time`, rate);
    // A single caller waits for three commits per job, so its rate can't reach a third of the baseline.
    if (callers > 1) judge(LIMITS.commitsToJobs, baseline / rate, `${callers} at a time`);
    else
      console.log(
        `       commits to jobs, 1 at a time: ${(baseline / rate).toFixed(2)}× (each job waits for three commits)`,
      );
  }
}

/** Empties each backlog, one slice of each in turn, so that a busy disk affects all alike. */
async function measureBacklogs(folder: string): Promise<void> {
  const subjects: { backlog: number; store: Store; queue: Queue; perJob: number[] }[] = [];
  for (const backlog of BACKLOGS) {
    const opened = await openQueue(folder);
    await fill(backlog, opened.store, opened.queue);
    subjects.push({ backlog, ...opened, perJob: [] });
  }
  for (let slice = 0; slice < SLICES; slice++) {
    for (const { queue, perJob } of subjects) perJob.push(await workOff(MEASURED, queue));
    for (const { backlog, queue } of subjects) await workOffUnmeasured(backlog / SLICES - MEASURED, queue);
  }
  for (const { backlog, store, queue, perJob } of subjects) {
    if ((await queue.claim(WORKER)) !== null) throw new Error("more jobs were claimed than enqueued");
    await store.close();
    const what = `claim and completion of a job, ${backlog} queued`;
    console.log(`  ${what.padEnd(52)} ${median(perJob).toFixed(0).padStart(8)} µs`);
  }
  const [smallest, ...larger] = subjects.map(({ perJob }) => median(perJob));
  for (const [index, perJob] of larger.entries()) {
    judge(LIMITS.jobInBacklog, perJob / (smallest ?? Number.NaN), `${BACKLOGS[index + 1]} queued`);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
