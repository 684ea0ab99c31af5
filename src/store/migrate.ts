/**
 * Migrates a database's schema: forward only, one transaction per migration, safe when several processes start at once.
 * Never changes a database that a newer version has migrated.
 */
import { KodiaiError } from "../base/errors.ts";
import type { Database, Dialect, Sql } from "./database.ts";

/** One migration. It never changes once it is released; later migrations fix its mistakes. */
export type Migration = {
  /** Counts from 1 without gaps. */
  readonly number: number;
  readonly name: string;
  readonly statements: (dialect: Dialect) => readonly string[];
};

/** The migrations of a schema, and the table that records the applied ones. */
export type Schema = { readonly record: string; readonly migrations: readonly Migration[] };

export async function migrateSchema(database: Database, schema: Schema, now: () => number): Promise<void> {
  const { dialect } = database;
  /** Runs in one process at a time; "if not exists" alone doesn't prevent collisions on every engine. */
  const exclusively = (work: (sql: Sql) => Promise<void>): Promise<void> =>
    database.transaction(async (sql) => {
      if (dialect.lockSchema !== null) await sql.query(dialect.lockSchema);
      await work(sql);
    });
  await exclusively(async (sql) => {
    await sql.query(`create table if not exists ${schema.record} (
      number bigint primary key,
      name text not null,
      applied_at bigint not null
    )`);
  });
  for (const migration of await missingOf(database, schema)) {
    await exclusively(async (sql) => {
      // Another process may have applied this migration in the meantime.
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

async function missingOf(sql: Sql, schema: Schema): Promise<readonly Migration[]> {
  const { missing, foreign } = await compareSchema(sql, schema);
  if (foreign === null) return missing;
  throw new KodiaiError(
    "database",
    `The database was migrated by a newer version of Kodiai: this version doesn't know migration ${foreign.number} (${foreign.name})`,
    { hint: "Run the newer version, or restore a backup from before the upgrade." },
  );
}

export type SchemaDifference = {
  /** Not applied yet, in order. */
  readonly missing: readonly Migration[];
  /** The first applied migration that this version doesn't know; null for none. */
  readonly foreign: { readonly number: number; readonly name: string } | null;
};

/** Compares the applied migrations with those of this version. The table that records them must exist. */
export async function compareSchema(sql: Sql, { record, migrations }: Schema): Promise<SchemaDifference> {
  const applied = await sql.query<{ number: number; name: string }>(
    `select number, name from ${record} order by number`,
  );
  const isKnown = ({ number, name }: { readonly number: number; readonly name: string }): boolean =>
    migrations.some((migration) => migration.number === number && migration.name === name);
  const foreign = applied.find((each) => !isKnown(each));
  return {
    missing: migrations.slice(applied.length),
    foreign: foreign === undefined ? null : { number: foreign.number, name: foreign.name },
  };
}
