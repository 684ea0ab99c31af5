/** A process that applies the newest migration of a database and is killed after so many of its statements, before the commit. */
import { openPostgresDatabase } from "../../src/store/postgres/postgres-database.ts";
import { migrateSchema, type Migration } from "../../src/store/migrate.ts";
import { KNOWLEDGE_MIGRATIONS } from "../../src/store/migrations/all-migrations.ts";
import { openSqliteDatabase } from "../../src/store/sqlite/sqlite-database.ts";
import { isPostgres, SCHEMA_RECORD, sqlitePathOf } from "../../src/store/store.ts";

const [url = "", after = ""] = process.argv.slice(2);
const newest = KNOWLEDGE_MIGRATIONS.at(-1);
if (newest === undefined) throw new Error("there are no migrations");

const doomed: Migration = {
  ...newest,
  // The migration asks for the next statement when the one before has run.
  statements: (dialect) => statementsUntilDeath(newest.statements(dialect)) as unknown as readonly string[],
};

function* statementsUntilDeath(statements: readonly string[]): Generator<string> {
  for (const [index, statement] of statements.entries()) {
    if (index === Number(after)) process.kill(process.pid, "SIGKILL");
    yield statement;
  }
  process.kill(process.pid, "SIGKILL");
}

const database = isPostgres(url)
  ? openPostgresDatabase({ url, connections: 2 })
  : openSqliteDatabase({ path: sqlitePathOf(url), synchronous: "full" });
const migrations = [...KNOWLEDGE_MIGRATIONS.slice(0, -1), doomed];
await migrateSchema(database, { record: SCHEMA_RECORD, migrations }, Date.now);
