/**
 * Measures every page of the dashboard with 100,000 reviews and 1,000,000 findings on both engines: the time from a request to its
 * document, its compressed size, and whether memory stays flat. Also the time of a report over all of them.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { DAY_MS } from "../src/base/day-ms.ts";
import type { PageDeps, Viewer } from "../src/dashboard/page.ts";
import { createGithubLinks } from "../src/forge/github/github-links.ts";
import { QUEUE_DEFAULTS } from "../src/queue/queue.ts";
import { readReport } from "../src/jobs/report/read-report.ts";
import { refreshDailyFindings } from "../src/store/repositories/daily-findings.ts";
import { refreshDailyStatistics } from "../src/store/repositories/daily-statistics.ts";
import { refreshDailyTotals } from "../src/store/repositories/daily-totals.ts";
import type { Store } from "../src/store/store.ts";
import { fillOutcomes, fillRest, fillStore, FIRST_REPOSITORY } from "../test/support/dashboard/fill-store.ts";
import { ADMIN, answerPath } from "../test/support/dashboard/serve-pages.ts";
import { engineNamed } from "../test/support/queue-contract/engines.ts";
import { SAMPLE_PUBLICATIONS } from "../test/support/sample-publication.ts";
import { LIMITS } from "./limits.ts";
import { judge, quantile } from "./measure.ts";
import { filledOnce, isOpen } from "./support/attempts.ts";
import { fillBothDatabases } from "./support/both-databases.ts";

const REVIEWS = 100_000;
const REPOSITORIES = 50;
const SIZE = {
  reviews: REVIEWS,
  findingsPerReview: 10,
  repositories: REPOSITORIES,
  days: 90,
  now: 1_800_000_000_000,
  text: "",
};

const ROUNDS = 30;
const REPORTS = 5;

const LAST = FIRST_REPOSITORY + (REVIEWS % REPOSITORIES);

/** Reads a few repositories, like most people of a company. */
const READER: Viewer = {
  name: "grace",
  isAdmin: false,
  repositories: Array.from({ length: 10 }, (_, index) => FIRST_REPOSITORY + index),
  csrf: "t",
};

const PAGES: readonly (readonly [path: string, viewer: Viewer])[] = [
  ["/", ADMIN],
  ["/?days=30", ADMIN],
  ["/?days=90", ADMIN],
  ["/?days=90", READER],
  [`/?days=90&repository=${LAST}`, ADMIN],
  ["/live", ADMIN],
  ["/reviews", ADMIN],
  ["/reviews", READER],
  [`/reviews?repository=${LAST}&status=failed`, ADMIN],
  [`/reviews/${REVIEWS}`, ADMIN],
  ["/queue", ADMIN],
  ["/queue/900000000", ADMIN],
  ["/memory", ADMIN],
  ["/repositories", ADMIN],
  [`/repositories/${LAST}`, ADMIN],
  [`/repositories/${LAST}/memory`, ADMIN],
  ["/dependencies", ADMIN],
  ["/health", ADMIN],
  ["/audit", ADMIN],
];

/** The slowest page as it is without a single review. */
const EMPTY = ["/?days=90&repository=999999", ADMIN] as const;

type Filled = {
  readonly stores: readonly (readonly [name: "sqlite" | "postgres", store: Store])[];
  readonly remove: () => Promise<void>;
};

const fillAll = filledOnce<Filled>(
  async () => {
    const { opened, remove } = await fillBothDatabases(async (store) => {
      await fill(store);
      return store;
    });
    const [sqlite, postgres] = opened;
    return {
      stores: [
        ["sqlite", sqlite],
        ["postgres", postgres],
      ],
      remove,
    };
  },
  async ({ stores, remove }) => {
    for (const [, store] of stores) await store.close();
    await remove();
  },
);

export async function dashboardPages(): Promise<void> {
  const { stores } = await fillAll();
  for (const [name, store] of stores) if (isOpen(name)) await measurePages(name, store);
}

async function fill(store: Store): Promise<void> {
  const publication = SAMPLE_PUBLICATIONS["findings"]?.();
  if (publication === undefined) throw new Error("there is no sample with findings");
  await fillStore(SIZE, store);
  await fillRest(SIZE, publication, store);
  await fillOutcomes(store);
  await store.database.query(
    `insert into memory_repositories (repository_id, owner, name, is_private, is_sharing, memories, terms, embeddings, updated_at)
     select id, 'acme', 'shop-' || (id - ${FIRST_REPOSITORY}), 1, 0, 2000, 3, 'local', 1 from repositories where id <> ${LAST}`,
  );
  // As the App does it after an upgrade.
  await refreshDailyTotals(store.database);
  await refreshDailyFindings(store.database);
  await refreshDailyStatistics(store.telemetry);
  await store.database.query("analyze");
}

async function measurePages(name: "sqlite" | "postgres", store: Store): Promise<void> {
  const now = (): number => SIZE.now;
  const queue = await engineNamed(name).openQueue(store, QUEUE_DEFAULTS, now);
  const links = createGithubLinks("https://github.com");
  const deps: PageDeps = { ...store, queue, now, links, examine: async () => [] };
  const times = new Map<string, number[]>();
  const open = async (path: string, viewer: Viewer, key: string): Promise<string | Uint8Array> => {
    const startedAt = performance.now();
    const { status, body } = await answerPath(path, viewer, deps);
    times.set(key, [...(times.get(key) ?? []), performance.now() - startedAt]);
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    return body;
  };
  const bytes: number[] = [];
  let usedBefore = 0;
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [path, viewer] of PAGES) {
        const body = await open(path, viewer, `${path} ${viewer.name}`);
        if (round === 0) bytes.push(gzipSync(body).length);
      }
      await open(...EMPTY, "empty");
      // The first round warms up, and what it leaves in memory stays there.
      if (round === 0) times.clear();
      if (round === 1) usedBefore = usedMb();
    }
    const slowest = [...times]
      .map(([key, values]) => ({ key, p50: quantile(values, 0.5), p95: quantile(values, 0.95) }))
      .toSorted((a, b) => b.p95 - a.p95);
    for (const { key, p50, p95 } of slowest)
      console.log(`  ${name.padEnd(9)} ${key.padEnd(44)} p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
    const [first] = slowest;
    const empty = slowest.find(({ key }) => key === "empty");
    judge(LIMITS.dashboardPage, first?.p95 ?? Number.NaN, name);
    judge(LIMITS.dashboardPageToEmpty, (first?.p50 ?? Number.NaN) / (empty?.p50 ?? Number.NaN), name);
    judge(LIMITS.dashboardPageSize, Math.max(...bytes) / 1_000, name);
    judge(LIMITS.dashboardMemory, usedMb() - usedBefore, name);
    await measureReport(name, store);
  } finally {
    await queue.close();
  }
}

/** `kodiai report` over all reviews and findings. */
async function measureReport(name: string, store: Store): Promise<void> {
  const range = { sinceMs: SIZE.now - SIZE.days * DAY_MS, repository: null };
  const times = [];
  for (let round = 0; round < REPORTS; round++) {
    const startedAt = performance.now();
    const { total } = await readReport(range, { ...store, now: () => SIZE.now });
    times.push(performance.now() - startedAt);
    if (total.findings.reported < REVIEWS) throw new Error("the report lacks findings");
  }
  judge(LIMITS.dashboardReport, quantile(times, 0.5), name);
}

/** Memory that is still in use after a collection. */
function usedMb(): number {
  setFlagsFromString("--expose-gc");
  // The context has this function because of the flag.
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
