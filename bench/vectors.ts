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
import { type Child, startChild } from "./support/child.ts";
import { fillBothDatabases } from "./support/both-databases.ts";
import type { Searches, TimedSearch } from "./support/search-process.ts";
import { settleDatabase } from "./support/settle-database.ts";
import type { Database } from "../src/store/database.ts";
import type { NeighbourRequest, VectorEntry, Vectors } from "../src/store/vectors/vectors.ts";

const DIMENSIONS = 1_024;
const SIZES = [1_000, 10_000, 100_000] as const;
const NEIGHBOURHOOD = { repositories: 1_000, vectors: 10 } as const;
const QUERIES = 100;
const WARM_UP = 5;
/** A full comparison is slow, and a tenth of the queries is enough. */
const QUERIES_PER_COMPARISON = 10;
const LIMIT = 20;
/** Each transaction waits for the disk. */
const PUT_AT_ONCE = 2_000;

/** The usual and the largest useful distance. A larger distance has to read more. */
const MAX_DISTANCES = [0.3, 0.5] as const;

type FilledStore = { readonly url: string; readonly store: Store; readonly opened: Vectors };

type Filled = {
  readonly samples: readonly SampleVectors[];
  readonly stores: readonly FilledStore[];
  readonly searcher: Child<Searches, readonly TimedSearch[]>;
  readonly remove: () => Promise<void>;
};

const fillAll = filledOnce<Filled>(
  async () => {
    const samples = SIZES.map((count) =>
      createSampleVectors({ dimensions: DIMENSIONS, count, shape: "clustered", seed: count }),
    );
    const { opened, remove } = await fillBothDatabases(async (store, url) => ({
      url,
      ...(await fillStore(store, samples)),
    }));
    return { samples, stores: opened, searcher: startChild("search-process.ts"), remove };
  },
  async ({ stores, searcher, remove }) => {
    searcher.stop();
    for (const { store } of stores) await store.close();
    await remove();
  },
);

/** The stores in which other repositories have vectors, too. They keep them for the next attempt, which is then harder. */
const crowded = new Set<Store>();

export async function vectors(): Promise<void> {
  const { samples, stores, searcher } = await fillAll();
  for (const { url, store, opened } of stores) {
    const { method } = opened;
    if (!isOpen(method)) continue;
    const search = (requests: readonly NeighbourRequest[]) => searcher.send({ url, requests });
    for (const sample of samples) await measureSearches(sample, { method, company: "alone", search });
    if (!crowded.has(store)) {
      const stored = samples.reduce((sum, sample) => sum + sample.vectors.length, 0);
      await fillOthers(opened, store.database, stored + 1);
      await settleDatabase(store.database);
      crowded.add(store);
    }
    const company = `with ${NEIGHBOURHOOD.repositories} other repositories`;
    for (const sample of samples) await measureSearches(sample, { method, company, search });
  }
}

async function fillStore(store: Store, samples: readonly SampleVectors[]): Promise<Omit<FilledStore, "url">> {
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

/** Half of it is the limit of a small search. */
const UNNOTICED_MS = 100;

type Searching = {
  readonly method: Vectors["method"];
  readonly company: string;
  readonly search: (requests: readonly NeighbourRequest[]) => Promise<readonly TimedSearch[]>;
};

async function measureSearches(sample: SampleVectors, { method, company, search }: Searching): Promise<void> {
  const count = sample.vectors.length;
  const queries = sample.queries(QUERIES + WARM_UP);
  for (const maxDistance of MAX_DISTANCES) {
    const what = `${method}, ${count} vectors ${company}, distance up to ${maxDistance}`;
    if (!isOpen(what)) continue;
    const request = { scope: scopeOf(sample), space: sample.space, limit: LIMIT, maxDistance };
    const requests = queries.map((vector) => ({ ...request, vector }));
    await search(requests.slice(0, WARM_UP));
    const [searches, comparisons] = [[] as number[], [] as number[]];
    let [wanted, found] = [0, 0];
    for (let from = WARM_UP; from < requests.length; from += QUERIES_PER_COMPARISON) {
      const some = requests.slice(from, from + QUERIES_PER_COMPARISON);
      const timed = await search(some);
      searches.push(...timed.map(({ ms }) => ms));
      const [first] = some;
      if (first === undefined) continue;
      const startedAt = performance.now();
      const best = reference(sample, first);
      comparisons.push(performance.now() - startedAt);
      const distances = new Set(timed[0]?.neighbours.map(({ distance }) => distance.toFixed(9)));
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
    else judge(LIMITS.largeVectorSearch, p95 / Math.max(comparison, UNNOTICED_MS), what);
    judge(LIMITS.vectorMisses, 1 - found / wanted, what);
  }
}
