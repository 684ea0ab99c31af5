import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countWords,
  fillMemory,
  sampleMemory,
  sampleRepository,
} from "../../../test/support/memory/sample-memories.ts";
import { createRepositoryIds } from "./repository-ids.ts";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { Database } from "../database.ts";
import { openVectors } from "../vectors/open-vectors.ts";
import {
  deleteMemories,
  listMemories,
  listUnembedded,
  markEmbedded,
  type MemoryRow,
  memoryScope,
  putMemories,
  readMemory,
  readVisible,
  searchText,
  setOutcome,
  visibleRepositories,
} from "./memories.ts";
import { readMemoryRepository, setVisibility, writeMemoryRepository } from "./memory-repositories.ts";

const SPACE = { name: "acme/plane", dimensions: 2 };

const titlesOf = (rows: readonly MemoryRow[]): readonly string[] => rows.map(({ title }) => title);

/** Compares every counter with the rows that it counts. */
async function assertCounters(database: Database): Promise<void> {
  const wrong = await database.query(
    `select repository_id from memory_repositories as there where
       memories <> (select count(*) from memories where repository_id = there.repository_id)
       or terms <> (select coalesce(sum(terms), 0) from memories where repository_id = there.repository_id)
       or terms <> (select coalesce(sum(frequency), 0) from memory_terms where repository_id = there.repository_id)`,
  );
  assert.deepEqual(wrong, []);
  const counted = await database.query(
    `select repository_id, term, count(*) as memories from memory_terms group by repository_id, term
     order by repository_id, term`,
  );
  const stored = await database.query(
    "select repository_id, term, memories from memory_term_counts order by repository_id, term",
  );
  assert.deepEqual(stored, counted);
}

async function search(database: Database, terms: string, viewer = 1): Promise<readonly string[]> {
  const found = await searchText({ viewer, terms: terms.split(" "), limit: 10 }, database);
  const rows = await readVisible(
    viewer,
    found.map(({ id }) => id),
    database,
  );
  return found.map(({ id }) => rows.find((row) => row.id === id)?.title ?? "");
}

for (const engine of ENGINES) {
  const on = (title: string): string => `${engine.name}: ${title}`;

  test(on("a memory is found by its words until it is deleted, and counters stay exact"), () =>
    withStore(engine, async ({ database }) => {
      await fillMemory(
        database,
        [sampleRepository()],
        [
          sampleMemory({ title: "null pointer in parser" }),
          sampleMemory({ title: "missing await in parser" }),
          sampleMemory({ title: "sql injection" }),
        ],
      );
      await assertCounters(database);
      assert.deepEqual(await search(database, "sql unknown"), ["sql injection"]);
      assert.deepEqual(await search(database, "parser await"), [
        "missing await in parser",
        "null pointer in parser",
      ]);
      const [row] = await listMemories({ repositoryId: 1, limit: 1 }, database);
      assert.equal(row?.title, "sql injection");
      assert.deepEqual(await readMemory(row.id, database), row);
      assert.equal(row.repository, "acme/r1");
      await database.transaction((sql) => deleteMemories([row.id, 999], sql));
      assert.equal(await readMemory(row.id, database), null);
      assert.deepEqual(await search(database, "sql"), []);
      assert.deepEqual(await listMemories({ repositoryId: 1, before: row.id, limit: 1 }, database), [
        ...(await listMemories({ repositoryId: 1, limit: 1 }, database)),
      ]);
      await assertCounters(database);
    }),
  );

  test(on("a finding has one memory, which keeps its outcome and loses its space with a new text"), () =>
    withStore(engine, async ({ database }) => {
      const first = sampleMemory({ title: "old words", identity: "one" });
      await fillMemory(database, [sampleRepository()], [first, sampleMemory({ title: "other" })]);
      await setOutcome(
        { repositoryId: 1, pullRequest: 1, identity: "one", outcome: "accepted", at: 2 },
        database,
      );
      const unembedded = await listUnembedded({ repositoryId: 1, space: "s", limit: 10 }, database);
      assert.deepEqual(titlesOf(unembedded), ["old words", "other"]);
      assert.equal((await markEmbedded(unembedded, "s", database)).length, 2);
      assert.deepEqual(await listUnembedded({ repositoryId: 1, space: "s", limit: 10 }, database), []);
      assert.equal((await listUnembedded({ repositoryId: 1, space: "r", limit: 10 }, database)).length, 2);
      assert.equal((await listUnembedded({ repositoryId: 1, space: "t", limit: 10 }, database)).length, 2);
      const put = (title: string, at: number): Promise<void> =>
        database.transaction((sql) =>
          putMemories([{ ...first, title, terms: countWords(title), at, url: `u${at}` }], sql),
        );
      await put("old words", 3);
      assert.deepEqual(await listUnembedded({ repositoryId: 1, space: "s", limit: 10 }, database), []);
      await put("new words words", 4);
      const [changed] = await listUnembedded({ repositoryId: 1, space: "s", limit: 10 }, database);
      assert.deepEqual(
        [changed?.title, changed?.outcome, changed?.createdAt, changed?.updatedAt, changed?.url],
        ["new words words", "accepted", 1, 4, "u4"],
      );
      assert.deepEqual(await search(database, "old"), []);
      assert.deepEqual(await search(database, "new"), ["new words words"]);
      await assertCounters(database);
      // Its text changed while it was being embedded.
      assert.deepEqual(await markEmbedded(unembedded, "s", database), [unembedded[1]?.id]);
    }),
  );

  test(on("repositories see each other only while both share and have the same visibility"), () =>
    withStore(engine, async ({ database }) => {
      const shared = { isSharing: true };
      await fillMemory(
        database,
        [
          sampleRepository({ repositoryId: 1, ...shared }),
          sampleRepository({ repositoryId: 2, ...shared }),
          sampleRepository({ repositoryId: 3 }),
          sampleRepository({ repositoryId: 4, ...shared, isPrivate: true }),
          sampleRepository({ repositoryId: 5, ...shared, owner: "other" }),
        ],
        [1, 2, 3, 4, 5].map((repositoryId) =>
          sampleMemory({ repositoryId, title: `leak of repository ${repositoryId}` }),
        ),
      );
      const seenBy = async (viewer: number): Promise<readonly number[]> => {
        const seen = [...(await visibleRepositories(viewer, 10, database))].sort((a, b) => a - b);
        const all = await readVisible(viewer, [1, 2, 3, 4, 5], database);
        assert.deepEqual(new Set(all.map((row) => row.repositoryId)), new Set(seen));
        const found = await search(database, "leak", viewer);
        assert.deepEqual(
          found.toSorted(),
          seen.map((id) => `leak of repository ${id}`),
        );
        return seen;
      };
      const everyone = async (): Promise<readonly (readonly number[])[]> => {
        const seen = [];
        for (const viewer of [1, 2, 3, 4, 5, 6]) seen.push(await seenBy(viewer));
        return seen;
      };
      assert.deepEqual(await everyone(), [[1, 2], [1, 2], [3], [4], [5], []]);
      await setVisibility({ ...sampleRepository({ repositoryId: 2 }), isPrivate: true }, 2, database);
      assert.deepEqual(await everyone(), [[1], [2, 4], [3], [2, 4], [5], []]);
      await writeMemoryRepository(sampleRepository({ repositoryId: 3, ...shared }), 3, database);
      await writeMemoryRepository(
        sampleRepository({ repositoryId: 5, ...shared, isPrivate: true }),
        3,
        database,
      );
      assert.deepEqual(await everyone(), [[1, 3], [2, 4, 5], [1, 3], [2, 4, 5], [2, 4, 5], []]);
      assert.deepEqual(await visibleRepositories(4, 2, database), [4, 2]);
    }),
  );

  test(on("accounts with the same name on different hosts share nothing"), () =>
    withStore(engine, async ({ database }) => {
      const ids = createRepositoryIds(database, "github.com");
      const idOf = (host: string, forgeId: number) => ids.idOf({ host, forgeId });
      const here = [await idOf("github.com", 1), await idOf("github.com", 2)];
      const there = [await idOf("ghe.example.org", 1), await idOf("ghe.example.org", 2)];
      const elsewhere = [await idOf("code.example.org", 1)];
      const all = [...here, ...there, ...elsewhere];
      await fillMemory(
        database,
        all.map((repositoryId) => sampleRepository({ repositoryId, isSharing: true })),
        all.map((repositoryId) => sampleMemory({ repositoryId, title: "leak" })),
      );
      for (const group of [here, there, elsewhere])
        for (const viewer of group)
          assert.deepEqual(new Set(await visibleRepositories(viewer, 10, database)), new Set(group));
      // Its row was deleted, and a job that still ran has written since.
      await database.query("update repositories set host = '', forge_id = -id where id = $1", [
        there[0] ?? 0,
      ]);
      for (const [viewer, seen] of [
        [there[0] ?? 0, [there[0]]],
        [there[1] ?? 0, [there[1]]],
        [here[0] ?? 0, here],
      ] as const)
        assert.deepEqual(new Set(await visibleRepositories(viewer, 10, database)), new Set(seen));
    }),
  );

  test(on("writing a repository again keeps its counters"), () =>
    withStore(engine, async ({ database }) => {
      const repository = sampleRepository({ name: "Parser", owner: "Acme" });
      await fillMemory(database, [repository], [sampleMemory({ title: "three words here" })]);
      await writeMemoryRepository({ ...repository, embeddings: "voyage:x" }, 2, database);
      const stored = await readMemoryRepository(1, database);
      assert.deepEqual(stored, {
        ...repository,
        owner: "acme",
        embeddings: "voyage:x",
        memories: 1,
        terms: 3,
      });
      await assert.rejects(
        database.transaction((sql) => putMemories([sampleMemory({ repositoryId: 9 })], sql)),
        /no row/,
      );
    }),
  );

  test(on("deleting a memory deletes its vector"), () =>
    withStore(engine, async ({ database }) => {
      await fillMemory(database, [sampleRepository()], [sampleMemory()]);
      const vectors = await openVectors(database);
      const scope = memoryScope(1);
      const vector = Float32Array.of(1, 0);
      await database.transaction((sql) => vectors.put([{ id: 1, scope, space: SPACE, vector }], sql));
      await database.transaction((sql) => deleteMemories([1], sql));
      assert.deepEqual(await database.query("select id from vectors"), []);
    }),
  );

  test(on("many memories are put at once, and transactions that do so at once keep counters exact"), () =>
    withStore(engine, async ({ database }) => {
      await fillMemory(database, [sampleRepository()], []);
      const put = (from: number): Promise<void> =>
        database.transaction((sql) =>
          putMemories(
            Array.from({ length: 150 }, (_, index) =>
              sampleMemory({ title: `word w${index % 7} n${from + index}`, identity: `i${from + index}` }),
            ),
            sql,
          ),
        );
      await Promise.all([put(0), put(100), put(0), put(300)]);
      assert.equal((await readMemoryRepository(1, database))?.memories, 400);
      await assertCounters(database);
      const ids = (await listMemories({ repositoryId: 1, limit: 200 }, database)).map(({ id }) => id);
      const remove = (): Promise<void> => database.transaction((sql) => deleteMemories(ids, sql));
      await Promise.all([remove(), put(0), remove()]);
      await assertCounters(database);
    }),
  );
}
