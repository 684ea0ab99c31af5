import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../test/support/queue-contract/engines.ts";
import { KodiaiError } from "../base/errors.ts";
import { migrateSchema, type Migration } from "./migrate.ts";
import { KNOWLEDGE_MIGRATIONS, TELEMETRY_MIGRATIONS } from "./migrations/all-migrations.ts";

const step = (number: number, name: string, ...statements: readonly string[]): Migration => ({
  number,
  name,
  statements: () => statements,
});

const schemaOf = (migrations: readonly Migration[]) => ({ record: "schema_migrations", migrations });

test("the migrations of both schemas are numbered from one without gaps", () => {
  for (const list of [KNOWLEDGE_MIGRATIONS, TELEMETRY_MIGRATIONS]) {
    assert.deepEqual(
      list.map(({ number }) => number),
      list.map((_, index) => index + 1),
    );
  }
});

for (const engine of ENGINES) {
  test(`${engine.name}: migrations are applied once, in order, and recorded`, () =>
    withStore(engine, async ({ database }) => {
      const next = KNOWLEDGE_MIGRATIONS.length + 1;
      const steps = [...KNOWLEDGE_MIGRATIONS, step(next, "extra", "create table extra (id bigint)")];
      await migrateSchema(database, schemaOf(steps), () => 42);
      await migrateSchema(database, schemaOf(steps), () => 43);
      const rows = await database.query(
        "select number, name, applied_at from schema_migrations order by number",
      );
      assert.deepEqual(
        rows.map(({ number, name }) => [number, name]),
        steps.map(({ number, name }) => [number, name]),
      );
      assert.equal(rows.at(-1)?.["applied_at"], 42);
      assert.deepEqual(await database.query("select id from extra"), []);
    }));

  test(`${engine.name}: a failed migration changes nothing and can be applied again`, () =>
    withStore(engine, async ({ database }) => {
      const number = KNOWLEDGE_MIGRATIONS.length + 1;
      const broken = step(
        number,
        "extra",
        "create table extra (id bigint)",
        "insert into nowhere values (1)",
      );
      await assert.rejects(migrateSchema(database, schemaOf([...KNOWLEDGE_MIGRATIONS, broken]), Date.now));
      await assert.rejects(database.query("select id from extra"));
      const fixed = step(number, "extra", "create table extra (id bigint)");
      await migrateSchema(database, schemaOf([...KNOWLEDGE_MIGRATIONS, fixed]), Date.now);
      assert.deepEqual(await database.query("select id from extra"), []);
    }));

  test(`${engine.name}: an older version refuses a newer schema and changes nothing`, () =>
    withStore(engine, async ({ database }) => {
      const older = KNOWLEDGE_MIGRATIONS.slice(0, -1);
      await assert.rejects(migrateSchema(database, schemaOf(older), Date.now), (error) => {
        assert.ok(error instanceof KodiaiError);
        assert.equal(error.code, "database");
        assert.match(error.message, /newer version of Kodiai/);
        assert.match(error.hint, /newer version/);
        return true;
      });
      // A migration with a known number but another name is just as unknown.
      const other = [...older, step(KNOWLEDGE_MIGRATIONS.length, "something-else")];
      await assert.rejects(migrateSchema(database, schemaOf(other), Date.now), KodiaiError);
    }));
}
