import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { Client } from "pg";
import {
  fillEveryTable,
  moveHere,
  readPostgres,
  readSqlite,
  sampleMove,
} from "../../../test/support/move/sample-move.ts";
import { fillMemory, sampleMemory, sampleRepository } from "../../../test/support/memory/sample-memories.ts";
import { administer } from "../../../test/support/postgres/shared-cluster.ts";
import { KodiaiError } from "../../base/errors.ts";
import type { Database } from "../database.ts";
import { migrateSchema } from "../migrate.ts";
import { KNOWLEDGE_MIGRATIONS } from "../migrations/all-migrations.ts";
import { openPostgresDatabase } from "../postgres/postgres-database.ts";
import { readVisible, searchText } from "../repositories/memories.ts";
import { readMemoryRepository } from "../repositories/memory-repositories.ts";
import { openSqliteDatabase } from "../sqlite/sqlite-database.ts";
import { openStore, SCHEMA_RECORD, telemetryPathOf } from "../store.ts";
import { openVectors } from "../vectors/open-vectors.ts";
import { MAX_PAGE_BYTES, MAX_PAGE_ROWS } from "./rows.ts";

async function inPostgres(url: string, ...statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

function inSqlite(path: string, ...statements: readonly string[]): void {
  const handle = new DatabaseSync(path);
  try {
    for (const statement of statements) handle.exec(statement);
  } finally {
    handle.close();
  }
}

/** Checks the error's code, message and hint. */
const refused =
  (code: string, message: RegExp, hint = /./) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof KodiaiError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.match(error.hint, hint);
    return true;
  };

const JOB = `insert into jobs (key, kind, lane, job_group, priority, payload, state, due_at, run_at, created_at) values`;

test("every table of both schemas is moved, and every value stays exactly the same", async (t) => {
  const { path, targetUrl, move } = await sampleMove(t);
  fillEveryTable(path);
  const before = readSqlite(path);
  const { outcome, tables } = await move();
  assert.equal(outcome, "moved");
  const after = await readPostgres(targetUrl);
  // Tables of later migrations are in both lists too, with rows that could be lost.
  assert.deepEqual(Object.keys(after).toSorted(), Object.keys(before).toSorted());
  assert.deepEqual(
    tables.map(({ name }) => name).toSorted(),
    Object.keys(before).toSorted(),
    "the report leaves no table out",
  );
  for (const { name, rows, isSame, checksum } of tables) {
    assert.deepEqual(after[name], before[name], name);
    assert.ok((before[name]?.length ?? 0) > 10, `${name} was filled`);
    assert.deepEqual([isSame, rows], [true, { source: before[name]?.length, target: before[name]?.length }]);
    assert.match(checksum, /^[0-9a-f]{64}$/);
  }
  assert.deepEqual(
    tables.flatMap(({ name, notCopied }) => notCopied.map((column) => `${name}.${column}`)),
    ["job_turns.is_waiting"],
  );
  assert.deepEqual(readSqlite(path), before, "the source is as it was");
});

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

test("PostgreSQL finds the same vectors that SQLite found", async (t) => {
  const { from, targetUrl, move } = await sampleMove(t);
  const space = { name: "test/numbers", dimensions: 3 };
  const vector = Float32Array.of(0.1, -0.2, 0.3);
  const nearestIn = async (url: string, prepare: boolean) => {
    const store = await openStore(url);
    const vectors = await openVectors(store.database);
    const entries = [1, 2, 3].map((id) => ({
      id,
      scope: "acme",
      space,
      vector: Float32Array.of(id / 7, -1 / id, id),
    }));
    if (prepare) await store.database.transaction((sql) => vectors.put(entries, sql));
    const found = await vectors.nearest({ scope: "acme", space, vector, limit: 10 });
    await store.close();
    return found;
  };
  const here = await nearestIn(from, true);
  assert.equal(here.length, 3);
  await move();
  assert.deepEqual(await nearestIn(targetUrl, false), here);
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

test("a stopped move resumes where it was, and until then Kodiai doesn't open the database", async (t) => {
  const { path, targetUrl, move } = await sampleMove(t);
  fillEveryTable(path);
  const stopping = new AbortController();
  const copied: string[] = [];
  const controls = {
    signal: stopping.signal,
    onProgress: (_: string, table: string, done: number) => {
      copied.push(`${table} ${done}`);
      if (table === "jobs" && done > 0) stopping.abort();
    },
  };
  await assert.rejects(move(controls), refused("cancelled", /stopped/, /again/));
  await assert.rejects(
    openStore(targetUrl),
    refused("config", /unfinished move from SQLite/, /kodiai migrate --from/),
  );
  await assert.rejects(openStore(targetUrl, { mustExist: true }), refused("config", /unfinished move/));
  const again: string[] = [];
  await move({ onProgress: (stage, table, done) => void again.push(`${stage} ${table} ${done}`) });
  assert.ok(copied.includes("deliveries 0"));
  assert.ok(!again.includes("copying deliveries 0"), "what was copied is not copied again");
  assert.deepEqual(await readPostgres(targetUrl), readSqlite(path));
  await (await openStore(targetUrl)).close();
});

test("a second run compares, changes nothing, and reports which database was used since", async (t) => {
  const { path, targetUrl, move } = await sampleMove(t);
  fillEveryTable(path);
  const first = await move();
  const again = await move();
  assert.deepEqual(again, { ...first, outcome: "moved-before" });

  await inPostgres(targetUrl, "update runs set reason = 'another' where id = 1");
  const used = await move();
  assert.deepEqual([used.outcome, used.movedAt], ["used-since", first.movedAt]);
  assert.deepEqual(
    used.tables.filter(({ isSame }) => !isSame).map(({ name }) => name),
    ["runs"],
  );

  await inPostgres(targetUrl, "update moves set schema_steps = schema_steps - 1");
  assert.deepEqual(await move(), { outcome: "updated-since", movedAt: first.movedAt, tables: [] });
  await inPostgres(targetUrl, "update moves set schema_steps = schema_steps + 1");

  inSqlite(path, "update deliveries set state = 'skipped' where guid = 'Z'");
  await assert.rejects(
    move(),
    refused(
      "database",
      /was moved on .*Z and has been used since: deliveries$/,
      /PostgreSQL doesn't have the new data/,
    ),
  );
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

async function assertRefused(t: TestContext, prepare: string, message: RegExp): Promise<void> {
  const { targetUrl, move } = await sampleMove(t);
  await (await openStore(targetUrl)).close();
  await inPostgres(targetUrl, prepare);
  const before = await readPostgres(targetUrl);
  await assert.rejects(move(), refused("config", message, /Nothing was changed/));
  assert.deepEqual(await readPostgres(targetUrl), before);
}

test("a target with data is refused and not changed", (t) =>
  assertRefused(
    t,
    `${JOB} ('one', 'k', 'l', 'g', 0, '{}', 'done', 1, 1, 1)`,
    /isn't empty: its table jobs has rows/,
  ));

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

test("a source that is missing, not SQLite or not a Kodiai database is refused and not changed", async (t) => {
  const { path, targetUrl } = await sampleMove(t);
  const from = (name: string) => moveHere(`sqlite:${path}.${name}`, targetUrl);
  await assert.rejects(from("none"), refused("config", /none does not exist/, /--from/));
  writeFileSync(`${path}.text`, "This is not a database. ".repeat(100));
  await assert.rejects(from("text"), refused("config", /text is not an SQLite database/, /--from/));
  writeFileSync(`${path}.empty`, "");
  await assert.rejects(from("empty"), refused("config", /empty is not a Kodiai database/, /--from/));
  inSqlite(`${path}.other`, "create table mine (a text)");
  await assert.rejects(from("other"), refused("config", /other is not a Kodiai database/));
  mkdirSync(`${path}.folder`);
  await assert.rejects(from("folder"), refused("database", /folder can't be opened/));
  inSqlite(path, "insert into schema_migrations values (99, 'tomorrow', 1)");
  await assert.rejects(
    moveHere(`sqlite:${path}`, targetUrl),
    refused("database", /kodiai\.db can't be moved: .*newer version of Kodiai/),
  );
  assert.deepEqual(await readPostgres(targetUrl), {}, "nothing was begun");
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
