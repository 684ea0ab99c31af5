/**
 * Retrieves similar findings (vectors, full text, reading them) in a process of its own that has loaded what the App loads, while reviews
 * use the same database. A bench also holds every vector for its comparisons, and what a process holds decides how often its garbage is
 * collected and how long that takes.
 */
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import "../../src/compose/app.ts";
import type { Database } from "../../src/store/database.ts";
import { type FindingRow, insertPending, readLedger } from "../../src/store/repositories/findings.ts";
import { readVisible, searchText } from "../../src/store/repositories/memories.ts";
import { openStore } from "../../src/store/store.ts";
import { openVectors } from "../../src/store/vectors/open-vectors.ts";
import type { NeighbourRequest, Vectors } from "../../src/store/vectors/vectors.ts";

const REVIEWS = 8;
/** A review mostly waits for models and GitHub. */
const REVIEW_PAUSE_MS = 20;

const IDLE_MS = 3_000;

export type Query = { readonly vector: Float32Array; readonly terms: readonly string[] };

export type Retrievals = {
  readonly url: string;
  /** All queries share this. */
  readonly request: Omit<NeighbourRequest, "vector">;
  readonly warmUp: readonly Query[];
  readonly queries: readonly Query[];
};

export type RetrievalTimes = {
  readonly times: readonly { readonly whole: number; readonly vectors: number }[];
  readonly cpuMs: number;
  /** How long the event loop was held, without retrievals and with them. */
  readonly before: Delays;
  readonly during: Delays;
};

type Opened = { readonly vectors: Vectors; readonly database: Database };

async function measure({ url, request, warmUp, queries }: Retrievals): Promise<RetrievalTimes> {
  const { database, ...store } = await openStore(url);
  const opened = { database, vectors: await openVectors(database) };
  for (const query of warmUp) await retrieve(opened, request, query);
  const reviews = startReviews(database);
  const idle = watchEventLoop();
  await pause(IDLE_MS);
  const before = idle();
  const times: RetrievalTimes["times"][number][] = [];
  const busy = watchEventLoop();
  const cpuBefore = process.cpuUsage();
  for (const query of queries) times.push(await retrieve(opened, request, query));
  const { user, system } = process.cpuUsage(cpuBefore);
  const during = busy();
  await reviews.stop();
  await store.close();
  return { times, cpuMs: (user + system) / 1_000, before, during };
}

async function retrieve(
  { vectors, database }: Opened,
  request: Retrievals["request"],
  { vector, terms }: Query,
): Promise<{ readonly whole: number; readonly vectors: number }> {
  const startedAt = performance.now();
  let foundAt = startedAt;
  const [near, similar] = await Promise.all([
    vectors.nearest({ ...request, vector }).finally(() => {
      foundAt = performance.now();
    }),
    searchText({ viewer: 1, terms, limit: request.limit }, database),
  ]);
  await vectors.measure({ space: request.space, vector, ids: similar.map(({ id }) => id) });
  const rows = await readVisible(
    1,
    [...near, ...similar].map(({ id }) => id),
    database,
  );
  if (similar.length === 0 || rows.length < similar.length) throw new Error("A retrieval found too little.");
  return { whole: performance.now() - startedAt, vectors: foundAt - startedAt };
}

const FINDING: FindingRow & { readonly placement: string } = {
  identity: "",
  number: 1,
  path: "src/a.ts",
  side: "new",
  startLine: 1,
  endLine: 2,
  others: "[]",
  severity: "major",
  category: "correctness",
  title: "A finding",
  words: "[]",
  rule: null,
  source: "model",
  state: "open",
  placement: "inline",
};

function findingsOf(round: number): readonly (typeof FINDING)[] {
  return Array.from({ length: 5 }, (_, index) => ({ ...FINDING, identity: `${(round + index) % 50}` }));
}

/** Reads and writes the ledger as reviews do. */
function startReviews(database: Database): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const review = async (pullRequest: number): Promise<void> => {
    const scope = { runId: pullRequest, repositoryId: 1, pullRequest, head: "h" };
    for (let round = 0; !stopping.signal.aborted; round++) {
      const findings = findingsOf(round);
      await database.transaction((sql) => insertPending(findings, scope, sql));
      await readLedger({ ...scope, runId: 0 }, database);
      await pause(REVIEW_PAUSE_MS);
    }
  };
  const reviews = Array.from({ length: REVIEWS }, (_, index) => review(index + 1));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(reviews);
    },
  };
}

export type Delays = {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
};

/** In milliseconds. */
function watchEventLoop(): () => Delays {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  return () => {
    histogram.disable();
    const [p50 = 0, p99 = 0, p999 = 0] = [50, 99, 99.9].map((share) => histogram.percentile(share) / 1e6);
    return { p50, p99, p999, max: histogram.max / 1e6 };
  };
}

for (;;) {
  const [retrievals] = await once(process, "message");
  // Only child.ts sends messages.
  process.send?.(await measure(retrievals as Retrievals));
}
