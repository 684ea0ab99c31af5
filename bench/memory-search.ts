/**
 * Measures a whole retrieval of similar findings (vectors, full text, reading them) from a large repository, while reviews use the same
 * database: how long it takes, how long it blocks the event loop, how much it misses, and its share of a comparison with all vectors.
 * Storing the memories takes minutes: `KODIAI_BENCH_DATABASE=URL` measures one database, fills it only if it is empty, and keeps it.
 */
import type { Database } from "../src/store/database.ts";
import { memoryScope, putMemories } from "../src/store/repositories/memories.ts";
import { writeMemoryRepository } from "../src/store/repositories/memory-repositories.ts";
import { openStore, type Store } from "../src/store/store.ts";
import { openVectors } from "../src/store/vectors/open-vectors.ts";
import type { NeighbourRequest, Vectors } from "../src/store/vectors/vectors.ts";
import { type Chance, createChance } from "../test/support/chance.ts";
import { sampleMemory, sampleRepository } from "../test/support/memory/sample-memories.ts";
import { createSampleVectors, reference, type SampleVectors } from "../test/support/sample-vectors.ts";
import { LIMITS } from "./limits.ts";
import { judge, quantile } from "./measure.ts";
import { filledOnce, isOpen } from "./support/attempts.ts";
import { startChild } from "./support/child.ts";
import { fillBothDatabases } from "./support/both-databases.ts";
import type { Delays, Query, Retrievals, RetrievalTimes } from "./support/retrieval-process.ts";
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

type Opened = {
  readonly url: string;
  readonly vectors: Vectors;
  readonly database: Database;
  readonly store: Store;
};

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
      return {
        sample,
        opened: [await fillStore(await openStore(kept), kept, sample)],
        remove: async () => {},
      };
    return { sample, ...(await fillBothDatabases((store, url) => fillStore(store, url, sample))) };
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

async function fillStore(store: Store, url: string, sample: SampleVectors): Promise<Opened> {
  const { database } = store;
  const opened = { url, vectors: await openVectors(database), database, store };
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

const requestIn = ({ space }: SampleVectors): Omit<NeighbourRequest, "vector"> => ({
  scope: memoryScope(1),
  space,
  limit: LIMIT,
  maxDistance: MAX_DISTANCE,
});

async function measureRetrievals(opened: Opened, sample: SampleVectors): Promise<void> {
  const { url, vectors } = opened;
  const chance = createChance(2);
  const queries = sample
    .queries(WARM_UP + RETRIEVALS)
    .map((vector): Query => ({ vector, terms: [...wordsOf(chance).keys()] }));
  const [warmUp, measured] = [queries.slice(0, WARM_UP), queries.slice(WARM_UP)];
  const child = startChild<Retrievals, RetrievalTimes>("retrieval-process.ts");
  const { times, cpuMs, before, during } = await child
    .send({ url, request: requestIn(sample), warmUp, queries: measured })
    .finally(() => child.stop());
  const { searchMs, comparisonMs, missed } = await compare(
    opened,
    sample,
    measured.slice(0, COMPARISONS).map(({ vector }) => vector),
  );
  const on = (what: string): string => `${vectors.method}, ${what}`;
  const whole = times.map((time) => time.whole);
  const ofVectors = times.map((time) => time.vectors);
  console.log(
    `  ${on("a retrieval")}: median ${quantile(whole, 0.5).toFixed(1)} ms, of which vectors ${quantile(ofVectors, 0.5).toFixed(1)} ms; ${(cpuMs / RETRIEVALS).toFixed(1)} ms of processor time with the reviews`,
  );
  console.log(`  ${on("event loop")}: without retrievals ${describe(before)}; with them ${describe(during)}`);
  console.log(
    `  ${on("a search")}: ${(searchMs / comparisonMs).toFixed(2)}× a comparison with all vectors in memory`,
  );
  judge(LIMITS.retrieval, quantile(whole, 0.95) / comparisonMs, vectors.method);
  judge(LIMITS.loopHold, during.p99, vectors.method);
  judge(LIMITS.retrievalMisses, missed, vectors.method);
}

const describe = ({ p50, p99, p999, max }: Delays): string =>
  `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, p99.9 ${p999.toFixed(1)}, max ${max.toFixed(1)} ms`;

/** Compares with a full search, turn by turn. */
async function compare(
  { vectors }: Opened,
  sample: SampleVectors,
  queries: readonly Float32Array[],
): Promise<{ readonly searchMs: number; readonly comparisonMs: number; readonly missed: number }> {
  const [searches, comparisons] = [[] as number[], [] as number[]];
  let [wanted, found] = [0, 0];
  for (const vector of queries) {
    const request = { ...requestIn(sample), vector };
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
