/** A move from SQLite to PostgreSQL: everything arrives unchanged, a stopped move resumes, and nothing is overwritten. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import {
  fillEveryTable,
  moveHere,
  readPostgres,
  readSqlite,
  sampleMove,
} from "../../../test/support/move/sample-move.ts";
import { openStore } from "../store.ts";
import { openVectors } from "../vectors/open-vectors.ts";
import { inPostgres, inSqlite, refused, JOB } from "../../../test/support/move/move-fixtures.ts";

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
