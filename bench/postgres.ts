/**
 * Compares the queue on PostgreSQL with its engine alone, in the same run on the same server: jobs per second with one, four and eight
 * worker processes, and how costs grow with queued jobs and stored findings.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PgBoss } from "pg-boss";
import type { Queue } from "../src/queue/queue.ts";
import { insertPending, readLedger } from "../src/store/repositories/findings.ts";
import { openStore, type Store } from "../src/store/store.ts";
import { type Cluster, startCluster } from "../test/support/postgres/cluster.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import type { Drain } from "./support/drain-process.ts";
import { openPostgres } from "./support/open-postgres.ts";
import { nextRequest } from "./support/sample-jobs.ts";

const ROUNDS = 3;
const PROCESSES = [1, 4, 8] as const;
const SLOTS = 4;
const JOBS = 4_000;
const ENQUEUED_AT_ONCE = 500;
const BACKLOGS = [1_000, 10_000, 100_000] as const;
const CLAIMS = 300;
const FINDINGS = [10_000, 100_000, 1_000_000] as const;
const LOOKUPS = 300;

const ENGINE_QUEUE = "bare";

const DRAIN = join(import.meta.dirname, "support", "drain-process.ts");
const DONE = { state: "done", reason: "published" } as const;

let made = 0;

export async function postgres(): Promise<void> {
  const cluster = await startCluster({ isDurable: true });
  try {
    await measureRates(cluster);
    await measureBacklogs(cluster);
    await measureFindings(cluster);
  } finally {
    await cluster.remove();
  }
}

/** Measures jobs per second until the queue is empty. */
async function measureRates(cluster: Cluster): Promise<void> {
  const url = cluster.url("postgres");
  const { store, queue, close } = await openPostgres(url);
  const engine = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  await engine.start();
  await engine.createQueue(ENGINE_QUEUE);
  const setup = { url, slots: SLOTS, engineQueue: ENGINE_QUEUE };
  const rates = new Map<string, number[]>();
  const note = (name: string, rate: number): void => void rates.set(name, [...(rates.get(name) ?? []), rate]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const processes of PROCESSES) {
      await engine.insert(
        ENGINE_QUEUE,
        Array.from({ length: JOBS }, () => ({ data: { number: ++made } })),
      );
      note(`engine ${processes}`, await drain({ ...setup, subject: "engine" }, processes));
      await engine.deleteAllJobs(ENGINE_QUEUE);
      await fill(JOBS, store, queue);
      note(`queue ${processes}`, await drain({ ...setup, subject: "queue" }, processes));
      await store.database.query("delete from jobs");
    }
  }
  await engine.stop({ graceful: false });
  await close();
  const rateOf = (name: string): number => median(rates.get(name) ?? []);
  for (const processes of PROCESSES) {
    const [bare, ours] = [rateOf(`engine ${processes}`), rateOf(`queue ${processes}`)];
    show(`pg-boss alone, ${processes} × ${SLOTS} slots`, bare, "/s");
    show(`the queue, ${processes} × ${SLOTS} slots`, ours, "/s");
    judge(LIMITS.engineToQueue, bare / ours, `${processes} processes`);
  }
  console.log(`       8 processes to 1: ${(rateOf("queue 8") / rateOf("queue 1")).toFixed(2)}×`);
}

async function drain(setup: Drain, processes: number): Promise<number> {
  const children = Array.from({ length: processes }, () => {
    const child = spawn(process.execPath, [DRAIN, JSON.stringify(setup)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    return {
      child,
      lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
      gone: once(child, "exit"),
    };
  });
  for (const { lines } of children) await expect(lines, "ready");
  const startedAt = performance.now();
  for (const { child } of children) child.stdin.write("go\n");
  await Promise.all(children.map(({ lines }) => expect(lines, "drained")));
  const ms = performance.now() - startedAt;
  await Promise.all(children.map(({ gone }) => gone));
  return (JOBS * 1_000) / ms;
}

async function expect(lines: AsyncIterator<string>, word: string): Promise<void> {
  const { value } = await lines.next();
  if (value !== word) throw new Error(`a worker process printed ${String(value)} instead of ${word}`);
}

/** Measures claims and completions by number of queued jobs, with the databases in turn. */
async function measureBacklogs(cluster: Cluster): Promise<void> {
  const subjects = [];
  for (const backlog of BACKLOGS) {
    const opened = await openPostgres(await newDatabase(cluster));
    await fill(backlog, opened.store, opened.queue);
    await opened.store.database.query("analyze");
    subjects.push({ backlog, ...opened, ms: [] as number[] });
  }
  for (let index = 0; index < CLAIMS; index++) {
    for (const { queue, ms } of subjects) {
      const startedAt = performance.now();
      const claim = await queue.claim({ worker: "bench", lanes: null });
      if (claim === null) throw new Error("a queued job could not be claimed");
      await queue.complete(claim, DONE);
      ms.push(performance.now() - startedAt);
    }
  }
  for (const { close } of subjects) await close();
  report(
    "claim and completion of a job",
    "queued",
    subjects.map(({ backlog, ms }) => ({ size: backlog, ms: median(ms) })),
  );
}

/** Measures reading a pull request's reported findings and adding one, by number of stored findings. */
async function measureFindings(cluster: Cluster): Promise<void> {
  const subjects = [];
  for (const size of FINDINGS) {
    const opened = await openPostgres(await newDatabase(cluster));
    await opened.store.database.query(
      `insert into findings (identity, run_id, repository_id, pull_request, head, path, side, start_line, end_line, severity,
         category, title, rule, source, placement, state, told_at, told_by_run)
       select md5(n::text), n / 10, n / 1000, (n / 10) % 100, md5((n / 10)::text), 'src/file-' || n % 50 || '.ts', 'new', n % 500,
         n % 500, 'medium', 'correctness', 'A title of the usual length for a finding', 'rule', 'floor', 'inline', 'open', 1, n / 10
       from generate_series(1, $1::bigint) as n`,
      [size],
    );
    await opened.store.database.query("analyze");
    subjects.push({ size, ...opened, ms: [] as number[] });
  }
  for (let index = 0; index < LOOKUPS; index++) {
    for (const { size, store, ms } of subjects) {
      const place = { repositoryId: Math.floor(((index * 7_919) % size) / 1_000), pullRequest: index % 100 };
      const startedAt = performance.now();
      const reported = await readLedger({ ...place, runId: -1 }, store.database);
      const scope = { ...place, runId: 1, head: "0".repeat(40) };
      await store.database.transaction((sql) => insertPending([findingOf(index)], scope, sql));
      ms.push(performance.now() - startedAt);
      if (reported.length === 0 && index < 10) throw new Error("a pull request with findings returned none");
    }
  }
  for (const { close } of subjects) await close();
  report(
    "reading reported findings and adding one",
    "stored findings",
    subjects.map(({ size, ms }) => ({ size, ms: median(ms) })),
  );
}

function findingOf(index: number) {
  return {
    identity: `new-${index}`,
    number: index + 1,
    path: "src/file.ts",
    side: "new",
    startLine: 1,
    endLine: 1,
    others: "[]",
    severity: "medium",
    category: "correctness",
    title: "A title",
    words: "[]",
    rule: null,
    source: "floor",
    placement: "inline",
    state: "open",
  } as const;
}

async function newDatabase(cluster: Cluster): Promise<string> {
  const name = `bench_${++made}`;
  const store = await openStore(cluster.url("postgres"));
  await store.database.query(`create database ${name}`);
  await store.close();
  return cluster.url(name);
}

async function fill(jobs: number, store: Store, queue: Queue): Promise<void> {
  for (let left = jobs; left > 0; left -= ENQUEUED_AT_ONCE) {
    const requests = Array.from({ length: Math.min(left, ENQUEUED_AT_ONCE) }, nextRequest);
    await store.database.transaction((sql) => queue.enqueue(requests, sql));
  }
}

function report(
  what: string,
  of: string,
  sizes: readonly { readonly size: number; readonly ms: number }[],
): void {
  for (const { size, ms } of sizes) show(`${what}, ${size} ${of}`, ms, "ms");
  const [smallest, ...larger] = sizes;
  for (const { size, ms } of larger)
    judge(LIMITS.postgresBacklog, ms / (smallest?.ms ?? Number.NaN), `${what}, ${size}`);
}

function show(what: string, value: number, unit: string): void {
  console.log(`  ${what.padEnd(60)} ${value.toFixed(unit === "ms" ? 2 : 0).padStart(8)} ${unit}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
