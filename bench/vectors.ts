/**
 * Measures how long a search for the nearest vectors takes and how many of them it finds: by number of vectors in a repository, compared
 * with a full comparison in memory, and with many other repositories in the same database.
 */
import type { Store } from "../src/store/store.ts";
import { openVectors } from "../src/store/vectors/open-vectors.ts";
import { createSampleVectors, reference, type SampleVectors } from "../test/support/sample-vectors.ts";
import { LIMITS } from "./limits.ts";
import { judge, quantile } from "./measure.ts";
import { filledOnce, isOpen } from "./support/attempts.ts";
import { fillBothDatabases } from "./support/both-databases.ts";
import { settleDatabase } from "./support/settle-database.ts";
import type { Database } from "../src/store/database.ts";
import type { VectorEntry, Vectors } from "../src/store/vectors/vectors.ts";

const DIMENSIONS = 1_024;
const SIZES = [1_000, 10_000, 100_000] as const;
const NEIGHBOURHOOD = { repositories: 1_000, vectors: 10 } as const;
const QUERIES = 100;
const WARM_UP = 5;
const LIMIT = 20;
/** Each transaction waits for the disk. */
const PUT_AT_ONCE = 2_000;

/** The usual and the largest useful distance. A larger distance has to read more. */
const MAX_DISTANCES = [0.3, 0.5] as const;

type Filled = {
  readonly samples: readonly SampleVectors[];
  readonly stores: readonly { readonly store: Store; readonly opened: Vectors }[];
  readonly remove: () => Promise<void>;
};

const fillAll = filledOnce<Filled>(
  async () => {
    const samples = SIZES.map((count) =>
      createSampleVectors({ dimensions: DIMENSIONS, count, shape: "clustered", seed: count }),
    );
    const { opened, remove } = await fillBothDatabases((store) => fillStore(store, samples));
    return { samples, stores: opened, remove };
  },
  async ({ stores, remove }) => {
    for (const { store } of stores) await store.close();
    await remove();
  },
);

/** The stores in which other repositories have vectors, too. They keep them for the next attempt, which is then harder. */
const crowded = new Set<Store>();

export async function vectors(): Promise<void> {
  const { samples, stores } = await fillAll();
  for (const { store, opened } of stores) {
    if (!isOpen(opened.method)) continue;
    for (const sample of samples) await measureSearches(opened, sample, "alone");
    if (!crowded.has(store)) {
      const stored = samples.reduce((sum, sample) => sum + sample.vectors.length, 0);
      await fillOthers(opened, store.database, stored + 1);
      await settleDatabase(store.database);
      crowded.add(store);
    }
    for (const sample of samples)
      await measureSearches(opened, sample, `with ${NEIGHBOURHOOD.repositories} other repositories`);
  }
}

async function fillStore(store: Store, samples: readonly SampleVectors[]): Promise<Filled["stores"][number]> {
  const opened = await openVectors(store.database);
  let nextId = 1;
  for (const sample of samples) {
    await fill(opened, store.database, entriesOf(sample, scopeOf(sample), nextId));
    nextId += sample.vectors.length;
  }
  await settleDatabase(store.database);
  return { store, opened };
}

const scopeOf = ({ vectors: all }: SampleVectors): string => `repository/${all.length}`;

async function fill(opened: Vectors, database: Database, entries: readonly VectorEntry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += PUT_AT_ONCE) {
    await database.transaction((sql) => opened.put(entries.slice(start, start + PUT_AT_ONCE), sql));
  }
}

async function fillOthers(opened: Vectors, database: Database, firstId: number): Promise<void> {
  const sample = createSampleVectors({
    dimensions: DIMENSIONS,
    count: NEIGHBOURHOOD.vectors,
    shape: "clustered",
    seed: 1,
  });
  const entries = Array.from({ length: NEIGHBOURHOOD.repositories }, (_, index) =>
    entriesOf(sample, `other/${index}`, firstId + index * NEIGHBOURHOOD.vectors),
  );
  await fill(opened, database, entries.flat());
}

function entriesOf({ vectors: all, space }: SampleVectors, scope: string, firstId: number): VectorEntry[] {
  return all.map((vector, index) => ({ id: firstId + index, scope, space, vector }));
}

async function measureSearches(opened: Vectors, sample: SampleVectors, company: string): Promise<void> {
  const count = sample.vectors.length;
  const queries = sample.queries(QUERIES + WARM_UP);
  for (const maxDistance of MAX_DISTANCES) {
    const what = `${opened.method}, ${count} vectors ${company}, distance up to ${maxDistance}`;
    if (!isOpen(what)) continue;
    const request = { scope: scopeOf(sample), space: sample.space, limit: LIMIT, maxDistance };
    const [searches, comparisons] = [[] as number[], [] as number[]];
    let [wanted, found] = [0, 0];
    for (const [index, vector] of queries.entries()) {
      const startedAt = performance.now();
      const neighbours = await opened.nearest({ ...request, vector });
      const searchedAt = performance.now();
      if (index < WARM_UP) continue;
      searches.push(searchedAt - startedAt);
      // A full comparison is slow, and a tenth of the queries is enough.
      if (index % 10 !== 0) continue;
      const best = reference(sample, { ...request, vector });
      comparisons.push(performance.now() - searchedAt);
      const distances = new Set(neighbours.map(({ distance }) => distance.toFixed(9)));
      wanted += best.length;
      found += best.filter(({ distance }) => distances.has(distance.toFixed(9))).length;
    }
    const [median, p95] = [quantile(searches, 0.5), quantile(searches, 0.95)];
    const comparison = quantile(comparisons, 0.5);
    const ratio = median / comparison;
    console.log(
      `  ${what.padEnd(80)} median ${median.toFixed(1)} ms, ${ratio.toFixed(2)}× a comparison with all in memory`,
    );
    if (count === SIZES[0]) judge(LIMITS.vectorSearch, p95, what);
    else judge(LIMITS.largeVectorSearch, p95 / comparison, what);
    judge(LIMITS.vectorMisses, 1 - found / wanted, what);
  }
}
