/**
 * Brings a database's schema up to date: forwards only, one transaction per step, safe when several processes start at
 * once. It never touches a database that a newer program has written.
 */
import { KodiaiError } from "../base/errors.ts";
import type { Database, Dialect, Sql } from "./database.ts";

/** One step of a schema. Once released it is never changed; what it got wrong is mended by a later one. */
export type Migration = {
  /** Counts from 1 without gaps. */
  readonly number: number;
  readonly name: string;
  readonly statements: (dialect: Dialect) => readonly string[];
};

const RECORD = `create table if not exists schema_migrations (
  number bigint primary key,
  name text not null,
  applied_at bigint not null
)`;

export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  now: () => number,
): Promise<void> {
  // In a transaction, since "if not exists" alone does not keep two processes of PostgreSQL from colliding.
  await database.transaction((sql) => sql.query(RECORD));
  for (const migration of await missingOf(database, migrations)) {
    await database.transaction(async (sql) => {
      // Another process may have taken this step since we looked.
      const missing = await missingOf(sql, migrations);
      if (!missing.includes(migration)) return;
      for (const statement of migration.statements(database.dialect)) await sql.query(statement);
      await sql.query("insert into schema_migrations (number, name, applied_at) values ($1, $2, $3)", [
        migration.number,
        migration.name,
        now(),
      ]);
    });
  }
}

async function missingOf(sql: Sql, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const applied = await sql.query<{ number: number; name: string }>(
    "select number, name from schema_migrations order by number",
  );
  for (const { number, name } of applied) {
    const known = migrations.find((migration) => migration.number === number);
    if (known?.name === name) continue;
    throw new KodiaiError(
      "database",
      `The database has been used by a newer version of Kodiai: its schema has step ${number} (${name}), which this version does not know`,
      { hint: "Start the newer version again, or restore a backup from before the update." },
    );
  }
  return migrations.slice(applied.length);
}
