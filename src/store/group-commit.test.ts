import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openSqliteDatabase } from "./sqlite/sqlite-database.ts";
import type { Database, Sql } from "./database.ts";

async function withDatabase(work: (database: Database, path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-group-"));
  const path = join(folder, "kodiai.db");
  const database = openSqliteDatabase({ path, synchronous: "full" });
  try {
    await database.query("create table things (id bigint primary key)");
    await work(database, path);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const insertAll =
  (batches: number[]) =>
  async (ids: readonly number[], sql: Sql): Promise<readonly string[]> => {
    batches.push(ids.length);
    for (const id of ids) await sql.query("insert into things (id) values ($1)", [id]);
    return ids.map((id) => `wrote ${id}`);
  };

test("items added in the same tick share a transaction, and each gets its own result", () =>
  withDatabase(async (database) => {
    const batches: number[] = [];
    const group = createGroupCommit(database, insertAll(batches));
    const first = [1, 2, 3].map((id) => group.add(id));
    await Promise.resolve();
    const results = await Promise.all([...first, group.add(4)]);
    assert.deepEqual(results, ["wrote 1", "wrote 2", "wrote 3", "wrote 4"]);
    assert.deepEqual(batches, [4]);
    assert.equal(await group.add(5), "wrote 5");
    assert.deepEqual(batches, [4, 1]);
  }));

test("an item is acknowledged only when another process can read it", () =>
  withDatabase(async (database, path) => {
    const other = new DatabaseSync(path, { readOnly: true });
    const group = createGroupCommit(database, insertAll([]));
    const seen = await Promise.all(
      Array.from({ length: 50 }, async (_, id) => {
        await group.add(id);
        return other.prepare("select id from things where id = ?").all(id).length;
      }),
    );
    assert.deepEqual(new Set(seen), new Set([1]));
    other.close();
  }));

test("a transaction has a limited size, and a flood of items is written completely", () =>
  withDatabase(async (database) => {
    const batches: number[] = [];
    const group = createGroupCommit(database, insertAll(batches));
    await Promise.all(Array.from({ length: 1_000 }, (_, id) => group.add(id)));
    assert.ok(batches.length > 1 && Math.max(...batches) <= 200, batches.join());
    assert.equal((await database.query("select id from things")).length, 1_000);
  }));

test("one bad item fails on its own, and the others are written once", () =>
  withDatabase(async (database) => {
    const batches: number[] = [];
    const group = createGroupCommit(database, insertAll(batches));
    await group.add(2);
    const outcomes = await Promise.allSettled([1, 2, 3].map((id) => group.add(id)));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(batches, [1, 3, 1, 1, 1]);
    assert.equal((await database.query("select id from things")).length, 3);
  }));

test("when the database is unavailable, items aren't retried one by one", () =>
  withDatabase(async (database) => {
    let tries = 0;
    const unavailable = new KodiaiError("database", "is unavailable", { hint: "wait", retryable: true });
    const group = createGroupCommit<number, number>(database, () => {
      tries++;
      return Promise.reject(unavailable);
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((id) => group.add(id)));
    assert.ok(outcomes.every((outcome) => outcome.status === "rejected" && outcome.reason === unavailable));
    assert.equal(tries, 1);
  }));

test("a writer that returns too few results is an error", () =>
  withDatabase(async (database) => {
    const group = createGroupCommit<number, number>(database, () => Promise.resolve([]));
    await assert.rejects(group.add(1), /Expected 1 result from the writer, got 0/);
  }));
