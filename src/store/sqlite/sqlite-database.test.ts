import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { KodiaiError } from "../../base/errors.ts";
import { numberPlaceholders } from "./sqlite-connection.ts";
import { explainSqliteError } from "./sqlite-errors.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";
import type { Database } from "../database.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-sqlite-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withDatabase(work: (database: Database, path: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, "made", "for-it", "kodiai.db");
    const database = openSqliteDatabase({ path, synchronous: "full" });
    try {
      await database.query("create table things (id bigint primary key, name text)");
      await work(database, path);
    } finally {
      await database.close();
    }
  });
}

/** Another connection that prints a line inside a transaction and keeps the transaction open for 100 ms more. */
const HOLD_SCRIPT = `
  const { DatabaseSync } = require("node:sqlite");
  const { parentPort, workerData } = require("node:worker_threads");
  const database = new DatabaseSync(workerData);
  database.exec("begin immediate; insert into things (id) values (100)");
  parentPort.postMessage("held");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  database.exec("commit");
  database.close();
`;

const insert = "insert into things (id, name) values ($1, $2)";

async function idsIn(database: Database): Promise<readonly number[]> {
  const rows = await database.query<{ id: number }>("select id from things order by id");
  return rows.map(({ id }) => id);
}

test("the file is durable, uses write-ahead logging and a larger cache, and enforces foreign keys", () =>
  withDatabase(async (database) => {
    const read = (pragma: string) => database.transaction((sql) => sql.query(`pragma ${pragma}`));
    assert.deepEqual({ ...(await read("journal_mode"))[0] }, { journal_mode: "wal" });
    assert.deepEqual({ ...(await read("synchronous"))[0] }, { synchronous: 2 });
    assert.deepEqual({ ...(await read("foreign_keys"))[0] }, { foreign_keys: 1 });
    assert.deepEqual({ ...(await read("cache_size"))[0] }, { cache_size: -16_000 });
  }));

test("a missing or extra value is an error, not null", () =>
  withDatabase(async (database) => {
    await assert.rejects(database.query(insert, [1]), /has 2 parameters, but got 1 values/);
    await assert.rejects(database.query(insert, [1, "a", "b"]), /has 2 parameters, but got 3 values/);
    assert.deepEqual(await idsIn(database), []);
  }));

test("placeholders inside quotes are ignored", () => {
  assert.deepEqual(numberPlaceholders("select '$9', 'it''s $8', $2, $10"), {
    text: "select '$9', 'it''s $8', ?2, ?10",
    parameterCount: 10,
  });
});

test("only placeholders that are out of order keep their numbers", () => {
  for (const [sql, text] of [
    ["values ($1, '$1', $2), ($3, 'b', $4)", "values (?, '$1', ?), (?, 'b', ?)"],
    ["set a = $2 where id = $1", "set a = ?2 where id = ?1"],
    ["values ($1, $2) on conflict do update set a = $2", "values (?1, ?2) on conflict do update set a = ?2"],
    ["select 1", "select 1"],
  ] as const)
    assert.equal(numberPlaceholders(sql).text, text);
});

test("concurrent transactions run one after the other, and one that fails doesn't affect the others", () =>
  withDatabase(async (database) => {
    const active: string[] = [];
    const write = (id: number, isBad: boolean) =>
      database.transaction(async (sql) => {
        active.push(`start ${id}`);
        await sql.query(insert, [id, "x"]);
        await sql.query("select 1 as one");
        active.push(`end ${id}`);
        if (isBad) await sql.query(insert, [id, "the same key again"]);
        return id;
      });
    for (const bad of [1, 2, 3]) {
      active.length = 0;
      await database.query("delete from things");
      const outcomes = await Promise.allSettled([1, 2, 3].map((id) => write(id, id === bad)));
      assert.deepEqual(
        outcomes.map(({ status }) => status === "rejected"),
        [1, 2, 3].map((id) => id === bad),
      );
      assert.deepEqual(
        await idsIn(database),
        [1, 2, 3].filter((id) => id !== bad),
      );
      assert.deepEqual(active, ["start 1", "end 1", "start 2", "end 2", "start 3", "end 3"]);
    }
  }));

test("a transaction is invisible before its commit and visible once it has resolved", () =>
  withDatabase(async (database, path) => {
    const other = new DatabaseSync(path, { readOnly: true });
    const seenByOther = (): number => other.prepare("select id from things").all().length;
    const inside: number[] = [];
    const first = database.transaction(async (sql) => {
      await sql.query(insert, [1, "a"]);
      inside.push(seenByOther(), (await idsIn(database)).length);
    });
    const second = database.transaction(async (sql) => {
      await sql.query(insert, [2, "b"]);
      inside.push(seenByOther(), (await idsIn(database)).length);
    });
    const afterFirst = first.then(() => seenByOther());
    await Promise.all([first, second]);
    assert.deepEqual(inside, [0, 0, 0, 0]);
    assert.equal(await afterFirst, 2);
    assert.equal(seenByOther(), 2);
    other.close();
  }));

test("a transaction that waits for another process runs once that process is done", () =>
  withDatabase(async (database, path) => {
    const holder = new Worker(HOLD_SCRIPT, { eval: true, workerData: path });
    // It locks the file far longer than a batch may take.
    await once(holder, "message");
    await database.query(insert, [1, "a"]);
    assert.deepEqual(await idsIn(database), [1, 100]);
    await once(holder, "exit");
  }));

test("a separate write from inside a transaction is an error, because it would deadlock", () =>
  withDatabase(async (database) => {
    await assert.rejects(
      database.transaction(() => database.query(insert, [1, "a"])),
      /can't be nested/,
    );
    assert.deepEqual(await idsIn(database), []);
    await database.query(insert, [1, "a"]);
  }));

test("timers run between consecutive transactions", () =>
  withDatabase(async (database) => {
    const fired = new AbortController();
    setTimeout(() => fired.abort(), 1);
    // Ends only if the timer runs between transactions.
    while (!fired.signal.aborted) await database.query("update things set name = 'x' where id = 0");
    assert.ok(fired.signal.aborted);
  }));

test("only the owner can read the files, even in a folder that others can read", () =>
  inFolder(async (folder) => {
    chmodSync(folder, 0o755);
    const database = openSqliteDatabase({ path: join(folder, "kodiai.db"), synchronous: "full" });
    await database.query("create table things (id bigint primary key)");
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    assert.deepEqual(modes, [0o600, 0o600, 0o600]);
    await database.close();
  }));

test("the error for an unusable file gives the reason and a hint", () =>
  inFolder(async (folder) => {
    const refusal = (path: string): KodiaiError => {
      try {
        openSqliteDatabase({ path, synchronous: "full" });
      } catch (error) {
        assert.ok(error instanceof KodiaiError);
        return error;
      }
      throw new Error("should have been refused");
    };
    writeFileSync(join(folder, "text.db"), "this is not a database ".repeat(100));
    const text = refusal(join(folder, "text.db"));
    assert.match(text.message, /is not an SQLite database/);
    assert.deepEqual([text.code, text.retryable], ["database", false]);

    mkdirSync(join(folder, "folder.db"));
    assert.match(refusal(join(folder, "folder.db")).message, /can't be opened/);
    // SQLite treats an empty name as a temporary database.
    assert.match(refusal("").message, /write-ahead/);
    writeFileSync(join(folder, "file"), "");
    assert.match(refusal(join(folder, "file", "below.db")).message, /can't be created/);
  }));

test("errors of the disk and of other programs are distinguished, and only temporary ones are retryable", () => {
  const explained = (errcode: number) =>
    explainSqliteError(Object.assign(new Error("x"), { code: "ERR_SQLITE_ERROR", errcode }), "kodiai.db");
  const expected: readonly (readonly [number, RegExp, boolean])[] = [
    [5, /locked by another process for too long/, true],
    [8, /is read-only/, false],
    [10 | (3 << 8), /I\/O error/, true],
    [11, /corrupt/, false],
    [13, /disk is full/, true],
  ];
  for (const [errcode, message, isRetryable] of expected) {
    const error = explained(errcode);
    assert.ok(error instanceof KodiaiError);
    assert.match(error.message, message);
    assert.ok(error.hint.length > 20);
    assert.equal(error.retryable, isRetryable);
  }
  // A violated constraint or a misspelled statement is a bug and stays unchanged.
  assert.ok(!(explained(19) instanceof KodiaiError) && !(explained(1) instanceof KodiaiError));
});

test("a full disk fails the transactions it affects, and later ones work once there is space", () =>
  withDatabase(async (database) => {
    const limit = (pages: number) =>
      database.transaction((sql) => sql.query(`pragma max_page_count = ${pages}`));
    await limit(1);
    const large = "x".repeat(100_000);
    const outcomes = await Promise.allSettled([
      database.query(insert, [1, large]),
      database.query(insert, [2, large]),
    ]);
    for (const outcome of outcomes) {
      assert.ok(outcome.status === "rejected");
      assert.ok(outcome.reason instanceof KodiaiError && /disk is full/.test(outcome.reason.message));
    }
    await limit(1_000_000);
    await database.query(insert, [3, large]);
    assert.deepEqual(await idsIn(database), [3]);
  }));
