/** A move from SQLite to PostgreSQL with changes in between, refused targets and values that can't be kept. */
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { test } from "node:test";
import {
  fillEveryTable,
  moveHere,
  readPostgres,
  readSqlite,
  sampleMove,
} from "../support/move/sample-move.ts";
import { fillMemory, sampleMemory, sampleRepository } from "../support/memory/sample-memories.ts";
import { administer } from "../support/postgres/shared-cluster.ts";
import { KodiaiError } from "../../src/base/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { migrateSchema } from "../../src/store/migrate.ts";
import { KNOWLEDGE_MIGRATIONS } from "../../src/store/migrations/all-migrations.ts";
import { openPostgresDatabase } from "../../src/store/postgres/postgres-database.ts";
import { readVisible, searchText } from "../../src/store/repositories/memories.ts";
import { readMemoryRepository } from "../../src/store/repositories/memory-repositories.ts";
import { openSqliteDatabase } from "../../src/store/sqlite/sqlite-database.ts";
import { openStore, SCHEMA_RECORD, telemetryPathOf } from "../../src/store/store.ts";
import { MAX_PAGE_BYTES, MAX_PAGE_ROWS } from "../../src/store/move/rows.ts";
import { inPostgres, inSqlite, refused, JOB } from "../support/move/move-fixtures.ts";

test("text keys are compared in the same order regardless of the database's locale", async (t) => {
  const { path, from, targetUrl } = await sampleMove(t);
  fillEveryTable(path);
  const name = `${new URL(targetUrl).pathname.slice(1)}_icu`;
  await inPostgres(
    targetUrl,
    `create database ${name} template template0 locale_provider icu icu_locale 'de-DE' locale 'C'`,
  );
  t.after(() => administer(`drop database ${name} with (force)`));
  const there = targetUrl.replace(/[^/]*$/, name);
  const [order] = await inPostgres(there, "select 'a' < 'Z' as is_by_language");
  assert.deepEqual(order, { is_by_language: true });
  const { tables } = await moveHere(from, there);
  assert.deepEqual(
    tables.filter(({ isSame }) => !isSame),
    [],
  );
});

test("PostgreSQL ranks memories as SQLite did, shows them to the same repositories, and adds more", async (t) => {
  const { from, targetUrl, move } = await sampleMove(t);
  const repositories = [1, 2, 3].map((repositoryId) =>
    sampleRepository({ repositoryId, isSharing: true, isPrivate: repositoryId === 3 }),
  );
  const memories = Array.from({ length: 60 }, (_, index) =>
    sampleMemory({
      repositoryId: 1 + (index % 3),
      identity: `i${index}`,
      title: ["leak", `w${index % 7}`, `v${index % 5}`, ...Array.from({ length: index % 4 }, () => "x")].join(
        " ",
      ),
    }),
  );
  const readFrom = async (url: string, work: (database: Database) => Promise<void> = async () => {}) => {
    const store = await openStore(url);
    await work(store.database);
    const read = [];
    for (const viewer of [1, 2, 3]) {
      const found = await searchText(
        { viewer, terms: ["leak", "w3", "v2", "x"], limit: 100 },
        store.database,
      );
      const rows = await readVisible(
        viewer,
        found.map(({ id }) => id),
        store.database,
      );
      const repository = await readMemoryRepository(viewer, store.database);
      read.push({ found, rows: rows.toSorted((a, b) => a.id - b.id), repository });
    }
    await store.close();
    return read;
  };
  const here = await readFrom(from, (database) => fillMemory(database, repositories, memories));
  assert.deepEqual(
    here.map(({ found }) => found.length),
    [40, 40, 20],
  );
  await move();
  assert.deepEqual(await readFrom(targetUrl), here);
  const more = await readFrom(targetUrl, (database) =>
    fillMemory(database, [], [sampleMemory({ repositoryId: 3, title: "another leak" })]),
  );
  assert.equal(more[2]?.found.length, 21);
});

test("many rows and large rows are copied in pages", async (t) => {
  const { path, targetUrl, move } = await sampleMove(t);
  const many = 2 * MAX_PAGE_ROWS + 7;
  const large = Math.floor(MAX_PAGE_BYTES / 2) + 1;
  inSqlite(
    path,
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${many})
     insert into author_cache select i % 50, 'ada-' || i, i, i from n`,
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < 5)
     insert into deliveries (guid, event, bytes, received_at, state, body)
     select 'guid-' || i, 'push', 1, 1, 'received', hex(zeroblob(${large / 2})) from n`,
  );
  const seen: string[] = [];
  await move({
    onProgress: (stage, table, done, total) => void seen.push(`${stage} ${table} ${done} of ${total}`),
  });
  assert.deepEqual(await readPostgres(targetUrl), readSqlite(path));
  assert.deepEqual(
    seen.filter((line) => line.startsWith("copying author_cache")),
    [0, MAX_PAGE_ROWS, 2 * MAX_PAGE_ROWS, many].map((done) => `copying author_cache ${done} of ${many}`),
  );
  assert.deepEqual(
    seen.filter((line) => line.startsWith("copying deliveries")),
    [0, 1, 2, 3, 4, 5].map((done) => `copying deliveries ${done} of 5`),
  );
  assert.ok(seen.includes(`comparing author_cache ${2 * many} of ${2 * many}`));
});

test("new ids are higher than all earlier ones, including those of deleted rows", async (t) => {
  const { path, targetUrl, move } = await sampleMove(t);
  inSqlite(
    path,
    `${JOB} ('one', 'k', 'l', 'g', 0, '{}', 'done', 1, 1, 1), ('two', 'k', 'l', 'g', 0, '{}', 'done', 1, 1, 1)`,
    "delete from jobs where key = 'two'",
  );
  await move();
  const ids = await inPostgres(
    targetUrl,
    `${JOB} ('new', 'k', 'l', 'g', 0, '{}', 'done', 1, 1, 1) returning id`,
  );
  assert.deepEqual(ids, [{ id: "3" }]);
  // A table that never had a row starts at 1.
  const first = await inPostgres(
    targetUrl,
    "insert into rate_limits (at, resource, remaining, reset_at) values (1, 'a', 1, 1) returning id",
  );
  assert.deepEqual(first, [{ id: "1" }]);
});

const DIFFERENT = refused(
  "database",
  /don't match the source: findings \(\d+ rows in the file, \d+ in PostgreSQL\)$/,
  /Stop every process/,
);

for (const [what, statement] of [
  ["a value", "update findings set title = 'other' where id = 3"],
  ["a row", "delete from findings where id = 3"],
] as const) {
  test(`if ${what} of the source changes during the move, the error names the table`, async (t) => {
    const { path, targetUrl, move } = await sampleMove(t);
    fillEveryTable(path);
    let isDone = false;
    const onProgress = (_: string, table: string): void => {
      if (table !== "author_cache" || isDone) return;
      isDone = true;
      inSqlite(path, statement);
    };
    await assert.rejects(move({ onProgress }), DIFFERENT);
    await assert.rejects(move(), DIFFERENT, "running it again does not make it right");
    await assert.rejects(openStore(targetUrl), refused("config", /unfinished move/));
  });
}

test("a value that PostgreSQL doesn't keep is an error that names the table", async (t) => {
  const { path, targetUrl, move } = await sampleMove(t);
  fillEveryTable(path);
  await (await openStore(targetUrl)).close();
  await inPostgres(
    targetUrl,
    `create function spoil() returns trigger language plpgsql as $$
     begin new.title := new.title || ' '; return new; end $$`,
    "create trigger spoil before insert on findings for each row when (new.id = 3) execute function spoil()",
  );
  await assert.rejects(move(), DIFFERENT);
});

test("a write by another program to the target during the move is detected", async (t) => {
  const { path, targetUrl, move } = await sampleMove(t);
  fillEveryTable(path);
  const stopping = new AbortController();
  await assert.rejects(
    move({
      signal: stopping.signal,
      onProgress: (_, table) => void (table === "rejections" && stopping.abort()),
    }),
    refused("cancelled", /stopped/),
  );
  await inPostgres(targetUrl, `${JOB} ('theirs', 'k', 'l', 'g', 0, '{}', 'done', 1, 1, 1)`);
  await assert.rejects(move(), refused("database", /another program has written to jobs/, /Stop every/));
});

/** The schema as the previous version left it. */
const OLDER = { record: SCHEMA_RECORD, migrations: KNOWLEDGE_MIGRATIONS.slice(0, -1) };

test("the schema of a refused target isn't migrated", async (t) => {
  const { targetUrl, move } = await sampleMove(t);
  const older = openPostgresDatabase({ url: targetUrl, connections: 1 });
  await migrateSchema(older, OLDER, Date.now);
  await older.query("insert into rejections values ('r', 'd', 1, 1)");
  await older.close();
  await assert.rejects(move(), refused("config", /its table rejections has rows/));
  const steps = await inPostgres(targetUrl, `select count(*)::int as count from ${SCHEMA_RECORD}`);
  assert.deepEqual(steps, [{ count: OLDER.migrations.length }]);
});

test("a target filled from another file is refused, but a copy of the same file is accepted", async (t) => {
  const one = await sampleMove(t);
  const other = await sampleMove(t);
  // Makes sure that the two files have different creation times.
  inSqlite(other.path, "update schema_migrations set applied_at = applied_at - 1000");
  await one.move();
  await assert.rejects(
    moveHere(other.from, one.targetUrl),
    refused("config", /filled from another file, .*kodiai\.db/, /Nothing was changed/),
  );
  const copy = `${one.path}.copy.db`;
  cpSync(one.path, copy);
  const { outcome } = await moveHere(`sqlite:${copy}`, one.targetUrl);
  assert.equal(outcome, "moved-before");
});

test("an older source is migrated first", async (t) => {
  const { path, targetUrl } = await sampleMove(t);
  const olderPath = `${path}.older.db`;
  const older = openSqliteDatabase({ path: olderPath, synchronous: "full" });
  await migrateSchema(older, OLDER, Date.now);
  await older.query("insert into rejections values ('r', 'd', 1, 1)");
  await older.close();
  const { tables } = await moveHere(`sqlite:${olderPath}`, targetUrl);
  assert.deepEqual(
    tables.filter(({ rows }) => rows.target > 0).map(({ name }) => name),
    ["rejections"],
  );
  await (await openStore(`sqlite:${olderPath}`)).close();
  assert.deepEqual(await readPostgres(targetUrl), readSqlite(olderPath));
});

test("a source without a telemetry file is moved without telemetry", async (t) => {
  const { path, move } = await sampleMove(t);
  fillEveryTable(path);
  rmSync(telemetryPathOf(path));
  const { tables } = await move();
  const rows = new Map(tables.map(({ name, rows: { target } }) => [name, target]));
  assert.deepEqual([rows.get("executions"), rows.get("jobs")], [0, 12]);
});

test("a source that an idle process has open is refused", async (t) => {
  const { from, move } = await sampleMove(t);
  const store = await openStore(from);
  try {
    await assert.rejects(move(), refused("config", /in use by another process/, /Stop every `kodiai serve`/));
  } finally {
    await store.close();
  }
  assert.equal((await move()).outcome, "moved");
});

test("a job with a valid lease stops the move, and a job with an expired lease is moved unchanged", async (t) => {
  const { path, targetUrl, move } = await sampleMove(t);
  const soon = Date.now() + 95_000;
  inSqlite(
    path,
    `${JOB} ('one', 'k', 'l', 'g', 0, '{}', 'running', ${soon}, 1, 1), ('two', 'k', 'l', 'g', 0, '{}', 'running', 5, 1, 1)`,
  );
  await assert.rejects(
    move(),
    refused("config", /may still be running/, /Stop the server first.* wait \d\d seconds for its lease/),
  );
  inSqlite(path, "update jobs set due_at = 6 where key = 'one'");
  await move();
  assert.deepEqual(await inPostgres(targetUrl, "select key, state, deaths::int from jobs order by key"), [
    { key: "one", state: "running", deaths: 0 },
    { key: "two", state: "running", deaths: 0 },
  ]);
});

for (const [what, statement, message, hint] of [
  [
    "U+0000 in a text",
    "update findings set title = 'a' || char(0) || 'b' where id = 3",
    /^findings\.title of the row with id = 3 contains the character U\+0000, which PostgreSQL can't store$/,
    /update findings set "title" = substr\("title", 1, instr\("title", char\(0\)\) - 1\) where id = 3;$/,
  ],
  [
    "a text where a number belongs",
    "update runs set pull_request = 'seven' where id = 2",
    /^runs\.pull_request of the row with id = 2 is not an integer, /,
    /sqlite3/,
  ],
  [
    "bytes where a text belongs",
    "update publications set marker = x'ff' where part = 'Z'",
    /^publications\.marker of the row with repository_id = -?\d+ .*part = 'Z' .*is not text, /,
    /sqlite3/,
  ],
] as const) {
  test(`${what} can't be moved, and the error names the row before the move starts`, async (t) => {
    const { path, targetUrl, move } = await sampleMove(t);
    fillEveryTable(path);
    inSqlite(path, statement);
    await assert.rejects(move(), refused("config", message, hint));
    assert.deepEqual(await readPostgres(targetUrl), {});
  });
}

test("the statement in the hint about U+0000 fixes the row", async (t) => {
  const { path, targetUrl, move } = await sampleMove(t);
  fillEveryTable(path);
  inSqlite(path, "update findings set title = 'a' || char(0) || 'b' where id = 3");
  const error = await move().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof KodiaiError);
  inSqlite(path, /update .*;$/.exec(error.hint)?.[0] ?? "");
  await move();
  assert.deepEqual(await inPostgres(targetUrl, "select title from findings where id = 3"), [{ title: "a" }]);
});

test("a text that isn't valid UTF-8 isn't moved as other characters", async (t) => {
  const { path, move } = await sampleMove(t);
  fillEveryTable(path);
  inSqlite(path, "update findings set title = cast(x'41ff42' as text) where id = 3");
  await assert.rejects(
    move(),
    refused("database", /row of findings with id = 3 has a text that is not valid UTF-8/),
  );
});
