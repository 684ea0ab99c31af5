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

/** The steps of a schema, and the table that says which of them have been taken. */
export type Schema = { readonly record: string; readonly migrations: readonly Migration[] };

export async function migrateSchema(database: Database, schema: Schema, now: () => number): Promise<void> {
  const { dialect } = database;
  /** One process at a time, also where "if not exists" alone would let two of them collide. */
  const alone = (work: (sql: Sql) => Promise<void>): Promise<void> =>
    database.transaction(async (sql) => {
      if (dialect.lockSchema !== null) await sql.query(dialect.lockSchema);
      await work(sql);
    });
  await alone(async (sql) => {
    await sql.query(`create table if not exists ${schema.record} (
      number bigint primary key,
      name text not null,
      applied_at bigint not null
    )`);
  });
  for (const migration of await missingOf(database, schema)) {
    await alone(async (sql) => {
      // Another process may have taken this step since we looked.
      const missing = await missingOf(sql, schema);
      if (!missing.includes(migration)) return;
      for (const statement of migration.statements(dialect)) await sql.query(statement);
      await sql.query(`insert into ${schema.record} (number, name, applied_at) values ($1, $2, $3)`, [
        migration.number,
        migration.name,
        now(),
      ]);
    });
  }
}

async function missingOf(sql: Sql, { record, migrations }: Schema): Promise<readonly Migration[]> {
  const applied = await sql.query<{ number: number; name: string }>(
    `select number, name from ${record} order by number`,
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
