/** An installation of the version before hosts: it is migrated with its data, also after kills, and its rows stay as they were. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { type Engine, ENGINES } from "../../../../test/support/queue-contract/engines.ts";
import { fillTablesOf, findTablesWith } from "../../../../test/support/rows-of-repositories.ts";
import type { Database } from "../../database.ts";
import { migrateSchema } from "../../migrate.ts";
import { openPostgresDatabase } from "../../postgres/postgres-database.ts";
import { createRepositoryIds } from "../../repositories/repository-ids.ts";
import { openSqliteDatabase } from "../../sqlite/sqlite-database.ts";
import { isPostgres, openStore, SCHEMA_RECORD, sqlitePathOf } from "../../store.ts";
import { KNOWLEDGE_MIGRATIONS } from "../all-migrations.ts";
import { hosts } from "./0017-hosts.ts";

const REPOSITORIES = [22, 42, 1_200_000_000];

/** The release before this migration. */
const BEFORE = KNOWLEDGE_MIGRATIONS.slice(0, hosts.number - 1);

function openWithoutMigrating(url: string): Database {
  return isPostgres(url)
    ? openPostgresDatabase({ url, connections: 2 })
    : openSqliteDatabase({ path: sqlitePathOf(url), synchronous: "full" });
}

async function withOldDatabase(
  engine: Engine,
  work: (url: string, tables: readonly string[]) => Promise<void>,
): Promise<void> {
  const created = await engine.createDatabase({ isEmpty: true });
  try {
    const database = openWithoutMigrating(created.url);
    let tables: readonly string[] = [];
    try {
      await migrateSchema(database, { record: SCHEMA_RECORD, migrations: BEFORE }, Date.now);
      for (const id of REPOSITORIES) tables = await fillTablesOf(id, database);
    } finally {
      await database.close();
    }
    await work(created.url, tables);
  } finally {
    await created.remove();
  }
}

/** Without columns that are null or empty: later migrations add some, and the rows of the version before have a value in each of theirs. */
async function readRows(tables: readonly string[], url: string): Promise<readonly unknown[]> {
  const database = openWithoutMigrating(url);
  try {
    const rows: unknown[] = [];
    for (const table of tables) {
      const found = await database.query(`select * from ${table}`);
      rows.push([table, found.map(withoutNulls).toSorted()]);
    }
    return rows;
  } finally {
    await database.close();
  }
}

const withoutNulls = (row: object): string =>
  JSON.stringify(Object.entries(row).filter(([, value]) => value !== null && value !== ""));

async function killDuring(url: string, afterStatements: number): Promise<void> {
  const script = new URL("../../../../test/support/die-in-migration.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, url, String(afterStatements)], { stdio: "inherit" });
  const [, signal] = await once(child, "exit");
  assert.equal(signal, "SIGKILL");
}

for (const engine of ENGINES) {
  test(`${engine.name}: every table that names a repository keeps its rows, and every repository its id`, () =>
    withOldDatabase(engine, async (url, tables) => {
      assert.ok(tables.length > 20, tables.join());
      const before = await readRows(tables, url);
      for (const statements of [1, 2]) await killDuring(url, statements);
      assert.deepEqual(await readRows(tables, url), before, "kills leave no trace");
      const store = await openStore(url);
      try {
        assert.deepEqual(await readRows(tables, url), before);
        const rows = await store.database.query("select id, host, forge_id from repositories order by id");
        assert.deepEqual(
          rows.map((row) => Object.values(row)),
          REPOSITORIES.map((id) => [id, "", id]),
        );
        const ids = createRepositoryIds(store.database, "github.com");
        for (const forgeId of REPOSITORIES) {
          const id = await ids.idOf({ host: "github.com", forgeId });
          assert.deepEqual(await findTablesWith(id, store.database), tables);
          const stranger = await ids.idOf({ host: "ghe.example.org", forgeId });
          assert.deepEqual(await findTablesWith(stranger, store.database), []);
        }
      } finally {
        await store.close();
      }
    }));

  test(`${engine.name}: the ids come from every table that can name a repository first`, () =>
    withOldDatabase(engine, async (url, tables) => {
      const database = openWithoutMigrating(url);
      // Each table has a repository of its own.
      const named = new Map<string, number>();
      try {
        for (const table of tables) {
          const columns = await database.query(`select * from ${table} limit 1`);
          if (!("repository_id" in (columns[0] ?? {}))) continue;
          const id = 5_000 + named.size;
          await database.query(`update ${table} set repository_id = $1 where repository_id = 22`, [id]);
          named.set(table, id);
        }
      } finally {
        await database.close();
      }
      const store = await openStore(url);
      try {
        const rows = await store.database.query<{ id: number }>("select id from repositories");
        const known = new Set(rows.map(({ id }) => id));
        assert.deepEqual(
          [...named].filter(([, id]) => !known.has(id)).map(([table]) => table),
          ["memory_term_counts", "memory_terms"],
        );
      } finally {
        await store.close();
      }
    }));
}
