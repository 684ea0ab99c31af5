/**
 * Measures a whole retrieval of similar findings (vectors, full text, reading them) from a large repository, while reviews use the same
 * database in the same process: how long it takes, how long it blocks the event loop, how much it misses, and its share of a comparison
 * with all vectors. Storing the memories takes minutes: `KODIAI_BENCH_DATABASE=URL` measures one database, fills it only if it is empty,
 * and keeps it.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../src/store/database.ts";
import { type FindingRow, insertPending, readLedger } from "../src/store/repositories/findings.ts";
import { memoryScope, putMemories, readVisible, searchText } from "../src/store/repositories/memories.ts";
import { writeMemoryRepository } from "../src/store/repositories/memory-repositories.ts";
import { openStore, type Store } from "../src/store/store.ts";
import { openVectors } from "../src/store/vectors/open-vectors.ts";
import type { Vectors } from "../src/store/vectors/vectors.ts";
import { type Chance, createChance } from "../test/support/chance.ts";
import { sampleMemory, sampleRepository } from "../test/support/memory/sample-memories.ts";
import { createSampleVectors, reference, type SampleVectors } from "../test/support/sample-vectors.ts";
import { LIMITS } from "./limits.ts";
import { judge, quantile } from "./measure.ts";
import { filledOnce, isOpen } from "./support/attempts.ts";
import { fillBothDatabases } from "./support/both-databases.ts";
import { settleDatabase } from "./support/settle-database.ts";

const MEMORIES = 100_000;
const DIMENSIONS = 1_024;
const WORDS_PER_MEMORY = 25;
const VOCABULARY = 30_000;
/** Each transaction waits for the disk. */
const PUT_AT_ONCE = 2_000;

const RETRIEVALS = 100;
const WARM_UP = 10;
const COMPARISONS = 20;
const LIMIT = 50;
/** The largest threshold. */
const MAX_DISTANCE = 0.5;

const REVIEWS = 8;
/** A review mostly waits for models and GitHub. */
const REVIEW_PAUSE_MS = 20;

type Opened = { readonly vectors: Vectors; readonly database: Database; readonly store: Store };

type Filled = {
  readonly sample: SampleVectors;
  readonly opened: readonly Opened[];
  readonly remove: () => Promise<void>;
};

const fillAll = filledOnce<Filled>(
  async () => {
    const sample = createSampleVectors({
      dimensions: DIMENSIONS,
      count: MEMORIES,
      shape: "clustered",
      seed: 18,
    });
    const kept = process.env["KODIAI_BENCH_DATABASE"];
    if (kept !== undefined)
      return { sample, opened: [await fillStore(await openStore(kept), sample)], remove: async () => {} };
    return { sample, ...(await fillBothDatabases((store) => fillStore(store, sample))) };
  },
  async ({ opened, remove }) => {
    for (const { store } of opened) await store.close();
    await remove();
  },
);

export async function memorySearch(): Promise<void> {
  const { sample, opened } = await fillAll();
  for (const each of opened) if (isOpen(each.vectors.method)) await measureRetrievals(each, sample);
}

async function fillStore(store: Store, sample: SampleVectors): Promise<Opened> {
  const { database } = store;
  const opened = { vectors: await openVectors(database), database, store };
  if (!(await isFilled(database))) {
    const startedAt = performance.now();
    await fill(opened, sample);
    await settleDatabase(database);
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(`  ${opened.vectors.method}: ${MEMORIES} memories stored in ${seconds.toFixed(0)} s`);
  }
  return opened;
}

/** Few words are in most memories, and most words in few. */
const anyWord = (chance: Chance): string =>
  `w${Math.floor(VOCABULARY * (chance.below(1_000_000) / 1_000_000) ** 3)}`;

function wordsOf(chance: Chance): ReadonlyMap<string, number> {
  return new Map(Array.from({ length: WORDS_PER_MEMORY }, () => [anyWord(chance), 1 + chance.below(2)]));
}

async function isFilled(database: Database): Promise<boolean> {
  const [row] = await database.query<{ count: number }>("select count(*) as count from vectors");
  return row?.count === MEMORIES;
}

async function fill({ vectors, database }: Opened, sample: SampleVectors): Promise<void> {
  const chance = createChance(1);
  await writeMemoryRepository(sampleRepository(), 1, database);
  for (let start = 0; start < MEMORIES; start += PUT_AT_ONCE) {
    const batch = sample.vectors.slice(start, start + PUT_AT_ONCE);
    await database.transaction(async (sql) => {
      const memories = batch.map((_, index) =>
        sampleMemory({
          identity: `${start + index}`,
          title: `Finding number ${start + index}`,
          body: "A body of the usual length. ".repeat(15),
          terms: wordsOf(chance),
        }),
      );
      await putMemories(memories, sql);
      // The first memory has the id 1.
      const entries = batch.map((vector, index) => ({
        id: start + index + 1,
        scope: memoryScope(1),
        space: sample.space,
        vector,
      }));
      await vectors.put(entries, sql);
    });
  }
}

async function measureRetrievals(opened: Opened, sample: SampleVectors): Promise<void> {
  const chance = createChance(2);
  const queries = sample.queries(WARM_UP + RETRIEVALS);
  const retrieval = (vector: Float32Array) =>
    retrieve(opened, sample, { vector, terms: [...wordsOf(chance).keys()] });
  for (const vector of queries.slice(0, WARM_UP)) await retrieval(vector);
  const reviews = startReviews(opened.database);
  const idle = watchEventLoop();
  await pause(3_000);
  const before = idle();
  const times: { readonly whole: number; readonly vectors: number }[] = [];
  const busy = watchEventLoop();
  const cpuBefore = process.cpuUsage();
  for (const vector of queries.slice(WARM_UP)) times.push(await retrieval(vector));
  const cpu = process.cpuUsage(cpuBefore);
  const during = busy();
  await reviews.stop();
  const { searchMs, comparisonMs, missed } = await compare(
    opened,
    sample,
    queries.slice(WARM_UP, WARM_UP + COMPARISONS),
  );
  const on = (what: string): string => `${opened.vectors.method}, ${what}`;
  const whole = times.map((time) => time.whole);
  console.log(
    `  ${on("a retrieval")}: median ${quantile(whole, 0.5).toFixed(1)} ms, of which vectors ${quantile(
      times.map((time) => time.vectors),
      0.5,
    ).toFixed(
      1,
    )} ms; ${((cpu.user + cpu.system) / 1_000 / RETRIEVALS).toFixed(1)} ms of processor time with the reviews`,
  );
  console.log(`  ${on("event loop")}: without retrievals ${describe(before)}; with them ${describe(during)}`);
  console.log(
    `  ${on("a search")}: ${(searchMs / comparisonMs).toFixed(2)}× a comparison with all vectors in memory`,
  );
  console.log(
    `  ${on("resident memory")}: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB with all vectors of the comparison`,
  );
  judge(LIMITS.retrieval, quantile(whole, 0.95) / comparisonMs, opened.vectors.method);
  judge(LIMITS.loopHold, during.percentile(99) / 1e6, opened.vectors.method);
  judge(LIMITS.retrievalMisses, missed, opened.vectors.method);
}

type Query = { readonly vector: Float32Array; readonly terms: readonly string[] };

async function retrieve(
  { vectors, database }: Opened,
  { space }: SampleVectors,
  { vector, terms }: Query,
): Promise<{ readonly whole: number; readonly vectors: number }> {
  const startedAt = performance.now();
  let foundAt = startedAt;
  const [near, similar] = await Promise.all([
    vectors
      .nearest({ scope: memoryScope(1), space, vector, limit: LIMIT, maxDistance: MAX_DISTANCE })
      .finally(() => {
        foundAt = performance.now();
      }),
    searchText({ viewer: 1, terms, limit: LIMIT }, database),
  ]);
  await vectors.measure({ space, vector, ids: similar.map(({ id }) => id) });
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

type Delays = Pick<ReturnType<typeof monitorEventLoopDelay>, "max" | "percentile">;

function watchEventLoop(): () => Delays {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  return () => {
    histogram.disable();
    return histogram;
  };
}

const describe = (delays: Delays): string =>
  [50, 99, 99.9].map((share) => `p${share} ${(delays.percentile(share) / 1e6).toFixed(1)}`).join(", ") +
  `, max ${(delays.max / 1e6).toFixed(1)} ms`;

/** Compares with a full search, turn by turn. */
async function compare(
  { vectors }: Opened,
  sample: SampleVectors,
  queries: readonly Float32Array[],
): Promise<{ readonly searchMs: number; readonly comparisonMs: number; readonly missed: number }> {
  const [searches, comparisons] = [[] as number[], [] as number[]];
  let [wanted, found] = [0, 0];
  for (const vector of queries) {
    const request = {
      scope: memoryScope(1),
      space: sample.space,
      vector,
      limit: LIMIT,
      maxDistance: MAX_DISTANCE,
    };
    const startedAt = performance.now();
    const near = await vectors.nearest(request);
    const searchedAt = performance.now();
    const best = reference(sample, request);
    searches.push(searchedAt - startedAt);
    comparisons.push(performance.now() - searchedAt);
    const distances = new Set(near.map(({ distance }) => distance.toFixed(9)));
    wanted += best.length;
    found += best.filter(({ distance }) => distances.has(distance.toFixed(9))).length;
  }
  return {
    searchMs: quantile(searches, 0.5),
    comparisonMs: quantile(comparisons, 0.5),
    missed: 1 - found / wanted,
  };
}
