import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { administer } from "../../test/support/postgres/shared-cluster.ts";
import { ENGINES, engineNamed, withStore } from "../../test/support/queue-contract/engines.ts";
import { KodiaiError } from "../base/errors.ts";
import type { StoreFacts } from "./store-facts.ts";
import { inspectStore } from "./inspect-store.ts";
import { openStore, sqlitePathOf } from "./store.ts";
import { KNOWLEDGE_MIGRATIONS } from "./migrations/all-migrations.ts";

async function inspect(url: string): Promise<Extract<StoreFacts, { readonly kind: "found" }>> {
  const facts = await inspectStore(url);
  assert.ok(facts.kind === "found");
  return facts;
}

for (const engine of ENGINES)
  test(`${engine.name}: the facts of a database, without changing it`, () =>
    withStore(engine, async ({ database }, url) => {
      const facts = await inspect(url);
      assert.deepEqual([facts.schema, facts.writeFailure], [{ missing: [], foreign: null }, null]);
      assert.ok(Math.abs(facts.aheadMs) < 60_000 && (facts.log?.bytes ?? 0) >= 0);
      assert.equal(facts.freeBytes === null, engine.name === "postgres");
      const password = URL.parse(url)?.password ?? "";
      assert.ok(password === "" || !facts.place.includes(password));

      await database.query("delete from schema_migrations where number >= 16");
      assert.deepEqual(
        (await inspect(url)).schema?.missing.map(({ number }) => number),
        KNOWLEDGE_MIGRATIONS.map(({ number }) => number).filter((number) => number >= 16),
      );
      const [row] = await database.query<{ count: number }>(
        "select count(*) as count from schema_migrations",
      );
      assert.equal(row?.count, 15, "nothing was migrated");
      await database.query("insert into schema_migrations (number, name, applied_at) values (900, 'x', 1)");
      assert.deepEqual((await inspect(url)).schema?.foreign, { number: 900, name: "x" });
      const tables = engine.name === "sqlite" ? "sqlite_schema where name" : "pg_class where relname";
      assert.deepEqual(await database.query(`select 1 as found from ${tables} = 'doctor_probe'`), []);
    }));

test("sqlite: a file that doesn't exist isn't created, and its clock may be ahead", async (t) => {
  const created = await engineNamed("sqlite").createDatabase({ isEmpty: true });
  t.after(() => created.remove());
  const { url } = created;
  assert.deepEqual(await inspectStore(url), { kind: "absent", place: sqlitePathOf(url) });
  assert.ok(!existsSync(sqlitePathOf(url)));
  await (await openStore(url)).close();
  const file = new DatabaseSync(sqlitePathOf(url));
  file
    .prepare("insert or replace into clock (id, ahead_ms, wall_ms, seen_at) values (1, 3600000, ?, ?)")
    .run(BigInt(Date.now()), BigInt(Date.now()));
  file.close();
  const { aheadMs } = await inspect(url);
  assert.ok(aheadMs > 3_000_000 && aheadMs <= 3_600_000, String(aheadMs));
});

test("postgres: an empty database, one without writes, and one that is gone", async (t) => {
  const created = await engineNamed("postgres").createDatabase({ isEmpty: true });
  const { url } = created;
  t.after(() => created.remove());
  assert.equal((await inspect(url)).schema, null);
  const name = new URL(url).pathname.slice(1);
  await administer(`alter database ${name} set default_transaction_read_only = on`);
  const { writeFailure } = await inspect(url);
  assert.ok(writeFailure instanceof KodiaiError && /no writes/.test(writeFailure.message));
  const gone = new URL(url);
  gone.pathname = "/none";
  await assert.rejects(inspectStore(gone.href), KodiaiError);
});
