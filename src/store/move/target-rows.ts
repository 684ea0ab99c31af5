/** Writes rows to PostgreSQL, and reads them back in the order SQLite has them. */
import { KodiaiError } from "../../base/errors.ts";
import type { Database, Sql } from "../database.ts";
import { type Cells, MAX_PAGE_BYTES, MAX_PAGE_ROWS, startTally, type Tally, toCells } from "./rows.ts";
import type { Counted } from "./source-rows.ts";
import { bytesOf, type Column, quoted, selectList, type Table } from "./tables.ts";

const toHex = (name: string): string => `upper(encode(${name}, 'hex'))`;

export async function insertRows(table: Table, rows: readonly Cells[], sql: Sql): Promise<void> {
  const { columns, notCopied } = table;
  const names = columns.map(({ name }) => quoted(name));
  const values = columns.map(({ name, kind }) =>
    kind === "blob" ? `decode(${quoted(name)}, 'hex')` : quoted(name),
  );
  const types = columns.map(({ name, kind }) => `${quoted(name)} ${kind === "integer" ? "bigint" : "text"}`);
  const objects = rows.map((cells) =>
    Object.fromEntries(columns.map(({ name }, index) => [name, cells[index] ?? null])),
  );
  try {
    await sql.query(
      `insert into ${quoted(table.name)} (${[...names, ...notCopied.map(({ column }) => quoted(column))].join(", ")})
       select ${[...values, ...notCopied.map(({ value }) => value)].join(", ")}
       from json_to_recordset($1::json) as moved (${types.join(", ")})`,
      [JSON.stringify(objects)],
    );
  } catch (error) {
    throw isDuplicate(error) ? concurrentWrite(table.name, error) : error;
  }
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}

function concurrentWrite(table: string, cause: unknown): KodiaiError {
  return new KodiaiError("database", `another program has written to ${table} in the target database`, {
    hint: "Stop every `kodiai serve` and `kodiai worker` that uses it, drop and recreate the database, then run the command again.",
    cause,
  });
}

/** Makes new rows get higher ids than any that were ever assigned. */
export async function continueNumbers(table: Table, last: string, sql: Sql): Promise<void> {
  await sql.query(
    `select setval(pg_get_serial_sequence($1, column_name)::regclass, $2::bigint)
     from information_schema.columns
     where table_schema = current_schema() and table_name = $3 and is_identity = 'YES'`,
    [quoted(table.name), last, table.name],
  );
}

export async function tallyTarget(table: Table, database: Database, onRows: Counted): Promise<Tally> {
  const { columns, key } = table;
  const [size] = await database.query<{ bytes: number | null }>(
    `select max(${bytesOf(columns)}) as bytes from ${quoted(table.name)}`,
  );
  const pageRows = Math.floor(MAX_PAGE_BYTES / Math.max(1, size?.bytes ?? 1));
  const count = Math.min(MAX_PAGE_ROWS, Math.max(1, pageRows));
  // A cursor sorts once. Paging by key would sort for every page, because the indexes follow the database's locale.
  return database.transaction(async (sql) => {
    const tally = startTally();
    let rows = 0;
    await sql.query(
      `declare moved_rows no scroll cursor for
       select ${selectList(columns, toHex)} from ${quoted(table.name)} as there order by ${key.map(inBytes).join(", ")}`,
    );
    for (;;) {
      const page = await sql.query(`fetch ${count} from moved_rows`);
      if (page.length === 0) return tally.end();
      tally.add(page.map((row) => toCells(row, columns)));
      onRows((rows += page.length));
    }
  });
}

/** Orders text by its bytes, regardless of the database's locale. */
function inBytes({ name, kind }: Column): string {
  return `there.${quoted(name)}${kind === "text" ? ' collate "C"' : ""}`;
}

/** Returns the first of these tables that has a row. Missing tables have none. */
export async function findUsedTable(tables: readonly Table[], sql: Sql): Promise<string | null> {
  for (const { name } of tables) {
    const [there] = await sql.query<{ is_there: number }>("select to_regclass($1) is not null as is_there", [
      quoted(name),
    ]);
    if (there?.is_there !== 1) continue;
    const rows = await sql.query(`select 1 as one from ${quoted(name)} limit 1`);
    if (rows.length > 0) return name;
  }
  return null;
}
