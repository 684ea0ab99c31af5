/** Reads the tables of an SQLite file page by page, and finds values that PostgreSQL can't store. Never writes. */
import { KodiaiError } from "../../base/errors.ts";
import { yieldToEventLoop } from "../../base/event-loop.ts";
import type { Sql } from "../database.ts";
import { type Cells, MAX_PAGE_BYTES, MAX_PAGE_ROWS, startTally, type Tally, toCells } from "./rows.ts";
import { bytesOf, type Column, quoted, selectList, type Table } from "./tables.ts";

const toHex = (name: string): string => `case when ${name} is null then null else hex(${name}) end`;

export type Page = { readonly rows: readonly Cells[]; readonly lastKey: Cells };

/** Returns the rows after that key, as many as fit into a page. Null if there are none. */
export async function readSourcePage(table: Table, after: Cells | null, sql: Sql): Promise<Page | null> {
  const { columns, key } = table;
  // Qualified with the table's alias, because the selected texts have the names of their columns.
  const rest = `from ${quoted(table.name)} as there ${after === null ? "" : `where ${isAfter(key)}`}
    order by ${key.map(({ name }) => `there.${quoted(name)}`).join(", ")} limit`;
  const params = after ?? [];
  const sizes = await sql.query<{ bytes: number }>(
    `select ${bytesOf(columns)} as bytes ${rest} ${MAX_PAGE_ROWS}`,
    params,
  );
  if (sizes.length === 0) return null;
  const found = await sql.query(`select ${selectList(columns, toHex)} ${rest} $${params.length + 1}`, [
    ...params,
    countThatFit(sizes.map(({ bytes }) => bytes)),
  ]);
  const rows = found.map((row) => toCells(row, columns));
  for (const [index, cells] of rows.entries()) assertExact(table, cells, sizes[index]?.bytes ?? 0);
  const last = found.at(-1);
  if (last === undefined) throw new Error(`Rows of ${table.name} disappeared while they were being read.`);
  return { rows, lastKey: toCells(last, key) };
}

/** Integers arrive as text but are compared as numbers. */
function isAfter(key: readonly Column[]): string {
  const names = key.map(({ name }) => `there.${quoted(name)}`);
  const values = key.map(({ kind }, index) =>
    kind === "integer" ? `cast($${index + 1} as integer)` : `$${index + 1}`,
  );
  return `(${names.join(", ")}) > (${values.join(", ")})`;
}

/** Returns at least one, however large it is. */
function countThatFit(sizes: readonly number[]): number {
  let bytes = 0;
  const tooMany = sizes.findIndex((size) => (bytes += size) > MAX_PAGE_BYTES);
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}

/** Throws if a text isn't valid UTF-8, because SQLite would return different characters than were written. */
function assertExact(table: Table, cells: Cells, bytes: number): void {
  const sizes = table.columns.map(({ kind }, index) => sizeOf(cells[index] ?? "", kind));
  const read = sizes.reduce((sum, size) => sum + size, 0);
  if (read === bytes) return;
  const key = table.key.map(
    ({ name }) => cells[table.columns.findIndex((each) => each.name === name)] ?? null,
  );
  throw new KodiaiError(
    "database",
    `the row of ${table.name} with ${nameKey(table, key)} has a text that is not valid UTF-8`,
    { hint: "Kodiai never writes such text. Fix or delete the row with the sqlite3 program." },
  );
}

function sizeOf(text: string, kind: Column["kind"]): number {
  switch (kind) {
    case "integer":
      return 0;
    case "text":
      return Buffer.byteLength(text);
    case "blob":
      return text.length / 2;
  }
}

export type Counted = (rows: number) => void;

export async function tallySource(table: Table, sql: Sql, onRows: Counted): Promise<Tally> {
  const tally = startTally();
  let rows = 0;
  for (
    let page = await readSourcePage(table, null, sql);
    page !== null;
    page = await readSourcePage(table, page.lastKey, sql)
  ) {
    tally.add(page.rows);
    onRows((rows += page.rows.length));
    // SQLite is synchronous, so the loop must yield to the event loop itself.
    await yieldToEventLoop();
  }
  return tally.end();
}

export async function countRows(table: Table, sql: Sql): Promise<number> {
  const [row] = await sql.query<{ rows: number }>(`select count(*) as rows from ${quoted(table.name)}`);
  return row?.rows ?? 0;
}

/** Returns the largest id ever assigned in the table, including deleted rows. Null if the table assigns no ids. */
export async function readLastNumber({ name }: Table, sql: Sql): Promise<string | null> {
  const [row] = await sql.query<{ seq: string }>(
    "select cast(seq as text) as seq from sqlite_sequence where name = $1",
    [name],
  );
  return row?.seq ?? null;
}

/** Throws for values that only SQLite accepts: those of another type than their column's, and U+0000 in text. */
export async function assertMovable(table: Table, sql: Sql): Promise<void> {
  for (const column of table.columns) {
    const name = quoted(column.name);
    const isWrong = `typeof(${name}) not in ('${column.kind}', 'null')`;
    const hasNul = column.kind === "text" ? `instr(${name}, char(0)) > 0` : "0";
    const [row] = await sql.query(
      `select ${isWrong} as is_wrong, ${selectList(table.key, toHex)} from ${quoted(table.name)}
       where ${isWrong} or ${hasNul} limit 1`,
    );
    if (row === undefined) continue;
    throw unmovable(table, column, toCells(row, table.key), row["is_wrong"] === 1);
  }
}

const KIND_NAMES = { integer: "an integer", text: "text", blob: "bytes" } as const;

function unmovable(table: Table, column: Column, key: Cells, isWrong: boolean): KodiaiError {
  const name = quoted(column.name);
  const what = isWrong ? `is not ${KIND_NAMES[column.kind]}` : "contains the character U+0000";
  const statement = isWrong
    ? ""
    : ` To truncate the text there: update ${table.name} set ${name} = substr(${name}, 1, instr(${name}, char(0)) - 1) where ${nameKey(table, key)};`;
  return new KodiaiError(
    "config",
    `${table.name}.${column.name} of the row with ${nameKey(table, key)} ${what}, which PostgreSQL can't store`,
    { hint: `Fix the row with the sqlite3 program, then run the command again.${statement}` },
  );
}

function nameKey({ key }: Table, cells: Cells): string {
  const parts = key.map(({ name, kind }, index) => {
    const value = cells[index] ?? "";
    return `${name} = ${kind === "integer" ? value : `'${value.replaceAll("'", "''")}'`}`;
  });
  return parts.join(" and ");
}
