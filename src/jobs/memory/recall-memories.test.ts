import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { Embeddings } from "../../embeddings/embeddings.ts";
import { RepoConfigSchema } from "../../config/repo-config/schema.ts";
import { memoryText } from "../../memory/memory-text.ts";
import { termsOf } from "../../memory/terms-of.ts";
import type { Database } from "../../store/database.ts";
import { listMemories, memoryScope, putMemories, setOutcome } from "../../store/repositories/memories.ts";
import { writeMemoryRepository } from "../../store/repositories/memory-repositories.ts";
import { openVectors } from "../../store/vectors/open-vectors.ts";
import type { RecallRequest } from "../gathering/team-memory.ts";
import type { MemorySource } from "./memory-source.ts";
import { recallMemories } from "./recall-memories.ts";

const SHOP = 5_000_000_001;
const LIB = 5_000_000_002;
const SITE = 5_000_000_003;

const SPACE = { name: "scripted/model", dimensions: 3 };
const NEAR = [1, 0, 0];
/** A distance of 0.2. */
const CLOSE = [0.8, 0.6, 0];
const FAR = [0, 0, 1];

/** The pull request of the seventh seed. */
const REVIEWED = 7;

const { signal } = new AbortController();

type Seed = {
  readonly repositoryId: number;
  readonly title: string;
  /** Missing: it has no vector yet. */
  readonly vector?: readonly number[];
  /** Missing: one of its own. */
  readonly pattern?: string;
  /** Missing: accepted. */
  readonly outcome?: string;
};

async function seed(seeds: readonly Seed[], database: Database): Promise<MemorySource["vectors"]> {
  const vectors = await openVectors(database);
  for (const [index, { repositoryId, title, vector, pattern, outcome = "accepted" }] of seeds.entries()) {
    const texts = { title, body: "", path: "a.py", language: "python", category: "correctness", rule: null };
    const key = {
      repositoryId,
      pullRequest: index + 1,
      identity: `f${index}`,
      pattern: pattern ?? `p${index}`,
      url: null,
    };
    const memory = { ...texts, ...key, severity: "major", terms: termsOf(memoryText(texts)), at: 1 };
    await database.transaction(async (sql) => {
      await putMemories([memory], sql);
      await setOutcome({ ...memory, outcome }, sql);
      const [stored] = await listMemories({ repositoryId, limit: 1 }, sql);
      if (vector === undefined || stored === undefined) return;
      const entry = { id: stored.id, scope: memoryScope(repositoryId), space: SPACE };
      await vectors.put([{ ...entry, vector: Float32Array.from(vector) }], sql);
    });
  }
  return vectors;
}

const SCRIPTED: Embeddings = {
  id: "openai-compatible:model",
  spaceName: SPACE.name,
  embed: async () => ({ space: SPACE, vectors: [Float32Array.from(NEAR)] }),
};

function requestFor(query: string, topK: number): RecallRequest {
  const settings = RepoConfigSchema.parse({ memory: { retrieval: { topK } } }).memory;
  return { query, languages: ["python"], categories: [], settings };
}

async function recallIn(
  seeds: readonly Seed[],
  query: string,
  database: Database,
  embeddings: Embeddings = SCRIPTED,
  topK = 5,
) {
  const shared = { owner: "Acme", isSharing: true, embeddings: "local" };
  const repositories = [
    { repositoryId: SHOP, name: "shop", isPrivate: true, ...shared },
    { repositoryId: LIB, name: "lib", isPrivate: true, ...shared },
    { repositoryId: SITE, name: "site", isPrivate: false, ...shared },
  ];
  for (const repository of repositories) await writeMemoryRepository(repository, 1, database);
  const vectors = await seed(seeds, database);
  const memory = { vectors, openEmbeddings: async () => ({ embeddings, problem: null }) };
  const viewer = { repositoryId: SHOP, pullRequest: REVIEWED };
  const recall = await recallMemories(viewer, requestFor(query, topK), signal, {
    database,
    memory,
    now: () => 2,
  });
  const found = recall.memories.map(
    ({ title, repository, distance, method }) =>
      `${title} | ${repository} | ${distance === null ? "-" : distance.toFixed(2)} | ${method}`,
  );
  return { ...recall, found };
}

for (const engine of ENGINES) {
  test(`recall: by vectors, by words and by both, within the threshold and in repositories that share (${engine.name})`, async () => {
    await withStore(engine, async ({ database }) => {
      const seeds = [
        { repositoryId: SHOP, title: "Zebra stripes", vector: NEAR },
        { repositoryId: SHOP, title: "The retry loop never ends", vector: FAR },
        { repositoryId: SHOP, title: "Endless retry loop", vector: CLOSE },
        { repositoryId: SHOP, title: "Unrelated", vector: FAR },
        { repositoryId: LIB, title: "Elephants", vector: CLOSE },
        { repositoryId: SITE, title: "Public giraffes", vector: NEAR },
        // Of the reviewed pull request.
        { repositoryId: SHOP, title: "Endless retry loop, as reported before", vector: NEAR },
      ];
      const { found, candidates, isWordsOnly, problems, embeddings } = await recallIn(
        seeds,
        "Endless retry loop that never ends",
        database,
      );
      assert.deepEqual(found.toSorted(), [
        "Elephants | acme/lib | 0.20 | vector",
        "Endless retry loop | acme/shop | 0.20 | both",
        "Zebra stripes | acme/shop | 0.00 | vector",
      ]);
      assert.deepEqual([candidates, isWordsOnly, problems], [5, false, []]);
      assert.equal(embeddings, SCRIPTED.id);
    });
  });

  test(`recall: a case is shown once with its places, others come before its repetitions, and only judged ones count (${engine.name})`, async () => {
    await withStore(engine, async ({ database }) => {
      const loop = { repositoryId: SHOP, title: "Endless retry loop", vector: NEAR, pattern: "rule:loop" };
      const seeds = [
        loop,
        loop,
        loop,
        { repositoryId: SHOP, title: "Retries without a pause", vector: CLOSE },
        { ...loop, title: "No one has read it", outcome: "open" },
        { ...loop, title: "Merged as it was", outcome: "ignored" },
      ];
      const { memories } = await recallIn(seeds, "Endless retry loop", database, SCRIPTED, 2);
      assert.deepEqual(
        memories.map(({ title, pullRequest, places }) => [title, pullRequest, places]),
        [
          ["Endless retry loop", 1, ["acme/shop#2", "acme/shop#3"]],
          ["Retries without a pause", 4, undefined],
        ],
      );
    });
  });

  test(`recall: findings without a vector of this space, and a provider that fails (${engine.name})`, async () => {
    await withStore(engine, async ({ database }) => {
      const seeds = [{ repositoryId: SHOP, title: "The retry loop never ends" }];
      const query = "A retry loop that never ends in a.py, python";
      const found = ["The retry loop never ends | acme/shop | - | text"];
      assert.deepEqual((await recallIn(seeds, query, database)).found, found);
      const embed = () => Promise.reject(new Error("status 500"));
      const failed = await recallIn([], query, database, { ...SCRIPTED, embed });
      assert.deepEqual([failed.found, failed.isWordsOnly, failed.problems], [found, true, ["status 500"]]);
    });
  });
}
