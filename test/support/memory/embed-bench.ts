/** A store with memories of one repository, a server that embeds, and the queue and worker of the jobs in between, with a clock of its own. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createLog } from "../../../src/base/log.ts";
import { openMemorySource } from "../../../src/compose/memory.ts";
import type { EmbeddingSettings } from "../../../src/config/embedding-settings.ts";
import { EMBED_KIND, planEmbed } from "../../../src/jobs/memory/embed-job.ts";
import { createEmbedRecipe } from "../../../src/jobs/memory/embed-memories.ts";
import type { MemorySource } from "../../../src/jobs/memory/memory-source.ts";
import { planDueEmbeds } from "../../../src/jobs/memory/plan-due-embeds.ts";
import { memoryText } from "../../../src/memory/memory-text.ts";
import type { JobReport } from "../../../src/jobs/recipe.ts";
import { QUEUE_DEFAULTS, type Queue } from "../../../src/queue/queue.ts";
import type { Database } from "../../../src/store/database.ts";
import { listMemories, type MemoryRow, memoryScope } from "../../../src/store/repositories/memories.ts";
import { writeMemoryRepository } from "../../../src/store/repositories/memory-repositories.ts";
import { cosineDistance } from "../../../src/store/vectors/space.ts";
import { runClaim } from "../../../src/worker/run-claim.ts";
import { type EmbeddingsServer, embedByWords, startEmbeddingsServer } from "../embeddings-server.ts";
import { type Engine, withStore } from "../queue-contract/engines.ts";
import { fillMemory, sampleMemory, sampleRepository } from "./sample-memories.ts";

export const MODEL = "openai-compatible:one";
export const OTHER_MODEL = "openai-compatible:two";
export const REPOSITORY = 1;

const NEVER = new AbortController().signal;

export type EmbedBench = {
  readonly database: Database;
  readonly url: string;
  readonly queue: Queue;
  readonly memory: MemorySource;
  readonly server: EmbeddingsServer;
  readonly clock: { now: number };
  /** Log lines. */
  readonly lines: readonly string[];
  /** Adds memories with these titles. */
  remember(titles: readonly string[]): Promise<void>;
  /** Changes `memory.embeddings` of the repository. */
  configure(embeddings: string): Promise<void>;
  plan(cause: string): Promise<void>;
  planDue(): Promise<number>;
  /** Runs the next job that is due; null without one. */
  turn(): Promise<JobReport | null>;
  /** Runs jobs until none is due. */
  drain(): Promise<readonly JobReport[]>;
  /** All memories, by id. */
  rows(): Promise<readonly MemoryRow[]>;
};

export const accessTo = ({ url }: Pick<EmbeddingsServer, "url">): EmbeddingSettings => ({
  embeddings: null,
  access: { "openai-compatible": { key: null, baseUrl: url } },
});

export const titlesUpTo = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `finding number${index} of kind${index % 7}`);

export async function withEmbedBench(
  t: TestContext,
  engine: Engine,
  work: (bench: EmbedBench) => Promise<void>,
): Promise<void> {
  await withStore(engine, async (store, url) => {
    const { database } = store;
    const server = await startEmbeddingsServer(t);
    const memory = await openMemorySource(accessTo(server), database);
    const clock = { now: store.now() };
    const now = (): number => clock.now;
    const queue = await engine.openQueue(store, QUEUE_DEFAULTS, now);
    const lines: string[] = [];
    const log = createLog({ level: "debug", format: "json", write: (line) => void lines.push(line), now });
    const recipes = { [EMBED_KIND]: createEmbedRecipe({ database, memory, now }) };
    const bench: EmbedBench = {
      database,
      url,
      queue,
      memory,
      server,
      clock,
      lines,
      remember: (titles) =>
        fillMemory(
          database,
          [],
          titles.map((title) => sampleMemory({ repositoryId: REPOSITORY, title, at: clock.now })),
        ),
      configure: (embeddings) =>
        writeMemoryRepository(
          sampleRepository({ repositoryId: REPOSITORY, embeddings }),
          clock.now,
          database,
        ),
      async plan(cause) {
        await database.transaction((sql) => queue.enqueue([planEmbed(REPOSITORY, cause)], sql));
      },
      planDue: () => planDueEmbeds({ database, queue, memory, now }),
      async turn() {
        // Jobs are due in whole milliseconds, and an engine may look for them only now and then.
        clock.now += engine.dueDelayMs + 1;
        const claim = await queue.claim({ worker: "test", lanes: null });
        if (claim === null) return null;
        const reports: JobReport[] = [];
        const onReport = (report: JobReport): void => void reports.push(report);
        const stops = { releaseRequested: NEVER, hardStop: NEVER };
        await runClaim(claim, { queue, recipes, log, now, queueOptions: QUEUE_DEFAULTS, onReport, ...stops });
        return reports[0] ?? null;
      },
      async drain() {
        const reports: JobReport[] = [];
        for (;;) {
          const report = await bench.turn();
          if (report === null) return reports;
          reports.push(report);
        }
      },
      rows: async () =>
        (await listMemories({ repositoryId: REPOSITORY, limit: 10_000 }, database)).toReversed(),
    };
    await bench.configure(MODEL);
    try {
      await work(bench);
    } finally {
      await queue.close();
    }
  });
}

const spaceOf = (model: string, dimensions: number) => ({
  name: `openai-compatible/${model.split(":")[1]}`,
  dimensions,
});

/** The distances of all memories that a search in this space finds, by title. */
export async function searchIn(
  { memory, rows }: Pick<EmbedBench, "memory" | "rows">,
  {
    model,
    dimensions,
    query,
  }: { readonly model: string; readonly dimensions: number; readonly query: string },
): Promise<ReadonlyMap<string, number>> {
  const found = await memory.vectors.nearest({
    scope: memoryScope(REPOSITORY),
    space: spaceOf(model, dimensions),
    vector: Float32Array.from(embedByWords(query, dimensions)),
    limit: 100,
  });
  const all = await rows();
  return new Map(found.map(({ id, distance }) => [all.find((row) => row.id === id)?.title ?? "", distance]));
}

/** Every memory is found in this space and in no other, at the exact distance of its text. */
export async function assertAllIn(
  bench: Pick<EmbedBench, "memory" | "rows">,
  space: { readonly model: string; readonly dimensions: number },
): Promise<void> {
  const query = "finding of kind3";
  const rows = await bench.rows();
  assert.ok(rows.length <= 100);
  const found = await searchIn(bench, { ...space, query });
  assert.deepEqual([...found.keys()].toSorted(), rows.map(({ title }) => title).toSorted());
  const vectorOf = (text: string): Float32Array => Float32Array.from(embedByWords(text, space.dimensions));
  for (const row of rows) {
    assert.equal(row.space, `openai-compatible/${space.model.split(":")[1]}/${space.dimensions}`);
    const exact = cosineDistance(vectorOf(query), vectorOf(memoryText(row)));
    assert.ok(Math.abs((found.get(row.title) ?? 9) - exact) < 1e-6);
  }
}

/** Returns how many memories are in each space. Each vector is in the space that its memory names, and in no other. */
export async function countSpaces(
  { memory, rows }: Pick<EmbedBench, "memory" | "rows">,
  spaces: readonly { readonly model: string; readonly dimensions: number }[],
): Promise<readonly number[]> {
  const all = await rows();
  const counts: number[] = [];
  for (const { model, dimensions } of spaces) {
    const space = spaceOf(model, dimensions);
    const found = await memory.vectors.measure({
      space,
      vector: Float32Array.from(embedByWords("a", dimensions)),
      ids: all.map(({ id }) => id),
    });
    const named = all.filter((row) => row.space === `${space.name}/${dimensions}`);
    assert.deepEqual(new Set(found.map(({ id }) => id)), new Set(named.map(({ id }) => id)));
    counts.push(found.length);
  }
  return counts;
}
