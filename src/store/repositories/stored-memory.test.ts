import assert from "node:assert/strict";
import { test } from "node:test";
import { fillMemory, sampleMemory, sampleRepository } from "../../../test/support/memory/sample-memories.ts";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { fillTablesOf, findTablesWith } from "../../../test/support/rows-of-repositories.ts";
import type { Database } from "../database.ts";
import { openVectors } from "../vectors/open-vectors.ts";
import { listMemories, memoryScope, searchText } from "./memories.ts";
import { readMemoryRepository } from "./memory-repositories.ts";
import { deleteMemoryOf } from "./stored-memory.ts";

/** Tables that are no memory. A new table with rows of repositories belongs here, or has to be deleted. */
const KEPT = [
  "author_cache",
  "bumps",
  "daily_costs",
  "daily_findings",
  "daily_totals",
  "dashboard_audit",
  "deliveries",
  "findings",
  "kept_publications",
  "mentions",
  "model_requests",
  "notebook_entries",
  "pauses",
  "publications",
  "recordings",
  "review_timeouts",
  "review_views",
  "run_readings",
  "runs",
  "seen_heads",
  "spendings",
] as const;

const SPACE = { name: "acme/plane", dimensions: 2 };

async function fillVectors(database: Database): Promise<void> {
  const vectors = await openVectors(database);
  const rows = await database.query<{ id: number; repository_id: number }>(
    "select id, repository_id from memories",
  );
  const entries = rows.map(({ id, repository_id: repositoryId }) => ({
    id,
    scope: memoryScope(repositoryId),
    space: SPACE,
    vector: Float32Array.of(1, id),
  }));
  await database.transaction((sql) => vectors.put(entries, sql));
}

async function findVectors(repositoryId: number, database: Database): Promise<number> {
  const vectors = await openVectors(database);
  const scope = memoryScope(repositoryId);
  return (await vectors.nearest({ scope, space: SPACE, vector: Float32Array.of(1, 0), limit: 100 })).length;
}

for (const engine of ENGINES) {
  test(`${engine.name}: deleting a repository's memory leaves no row of it, and everything else`, () =>
    withStore(engine, async ({ database }) => {
      const filled = await fillTablesOf(1, database);
      await fillTablesOf(2, database);
      assert.ok(filled.includes("memories") && filled.includes("memory_terms"));
      await deleteMemoryOf(1, database);
      assert.deepEqual(await findTablesWith(1, database), KEPT);
      assert.deepEqual(await findTablesWith(2, database), filled);
    }));

  test(`${engine.name}: memories, vectors and events of feedback are deleted, other events stay`, () =>
    withStore(engine, async ({ database }) => {
      await fillMemory(
        database,
        [sampleRepository(), sampleRepository({ repositoryId: 2 })],
        Array.from({ length: 50 }, (_, index) =>
          sampleMemory({ repositoryId: 1 + (index % 2), title: `leak number n${index}` }),
        ),
      );
      await fillVectors(database);
      for (const [identity, reason] of [
        ["a", "feedback:thumbs-down"],
        ["b", "fixed"],
      ] as const)
        await database.query(
          `insert into finding_events (repository_id, pull_request, identity, run_id, head, state, reason, actor, at)
           values (1, 1, $1, 1, 'h', 'open', $2, 'ann', 1)`,
          [identity, reason],
        );
      assert.deepEqual([await findVectors(1, database), await findVectors(2, database)], [25, 25]);
      await deleteMemoryOf(1, database);
      assert.equal(await readMemoryRepository(1, database), null);
      assert.deepEqual(await listMemories({ repositoryId: 1, limit: 1 }, database), []);
      assert.deepEqual([await findVectors(1, database), await findVectors(2, database)], [0, 25]);
      const left = await database.query<{ rows: number }>(
        `select count(*) as rows from vectors
         union all select count(*) from vector_places union all select count(*) from memories`,
      );
      assert.deepEqual(
        left.map(({ rows }) => rows),
        [25, 1, 25],
      );
      if (database.dialect.name === "sqlite") {
        const blocks = await database.query("select distinct place_id from vector_blocks");
        assert.equal(blocks.length, 1);
      }
      const found = await searchText({ viewer: 2, terms: ["leak"], limit: 100 }, database);
      assert.equal(found.length, 25);
      const events = await database.query<{ identity: string }>("select identity from finding_events");
      assert.deepEqual(
        events.map(({ identity }) => identity),
        ["b"],
      );
      // Deleting again changes nothing.
      await deleteMemoryOf(1, database);
    }));
}
