/** Runs the contract tests of the Vectors port against every database, without pgvector. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openVectors } from "../src/store/vectors/open-vectors.ts";
import { ENGINES, engineNamed, withStore } from "./support/queue-contract/engines.ts";
import { testVectors } from "./support/vectors-contract.ts";

const places = ["sqlite", "postgres"] as const;

for (const method of places) {
  testVectors({
    name: method,
    method,
    withVectors: (work, options) =>
      withStore(engineNamed(method), async ({ database }) => {
        await work(await openVectors(database, options), database);
      }),
  });
}

for (const engine of ENGINES) {
  test(`${engine.name}: bytes are read as they were written`, () =>
    withStore(engine, async ({ database }) => {
      await database.query(`create table things (id bigint primary key, content ${database.dialect.bytes})`);
      const all = Uint8Array.from({ length: 256 }, (_, index) => index);
      const given = [all, all.subarray(3, 10), new Uint8Array(), new Uint8Array(100_000).fill(255), null];
      for (const [id, content] of given.entries()) {
        await database.query("insert into things (id, content) values ($1, $2)", [id, content]);
      }
      const rows = await database.query<{ content: Uint8Array | null }>(
        "select content from things order by id",
      );
      assert.deepEqual(
        rows.map(({ content }) => content),
        given.map((content) => content && new Uint8Array(content)),
      );
      // A typed array with wider elements can view the bytes without copying them.
      assert.ok(rows.every(({ content }) => content === null || content.byteOffset === 0));
      const found = await database.query("select id from things where content = $1", [all.slice(3, 10)]);
      assert.deepEqual(
        found.map((row) => ({ ...row })),
        [{ id: 1 }],
      );
    }));
}
