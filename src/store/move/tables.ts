/** What there is to move. It is read from the databases themselves, so that a table of a later migration is not forgotten. */
import type { Sql } from "../database.ts";

/** By the names that SQLite gives to the kinds of values; blobs are bytes. */
export type Column = { readonly name: string; readonly kind: "integer" | "text" | "blob" };

/** A value that means nothing in another database, and what is written instead of it. */
export type NotCopied = { readonly table: string; readonly column: string; readonly value: number };

export type Table = {
  readonly name: string;
  /** Those that are copied and compared. */
  readonly columns: readonly Column[];
  readonly notCopied: readonly NotCopied[];
  /** The primary key, in its order. */
  readonly key: readonly Column[];
};

type ColumnRow = {
  readonly table_name: string;
  readonly name: string;
  readonly type: string;
  /** Place in the primary key, from 1; 0 outside of it. */
  readonly pk: number;
};

const KINDS: ReadonlyMap<string, Column["kind"]> = new Map([
  ["bigint", "integer"],
  ["integer", "integer"],
  ["text", "text"],
  ["blob", "blob"],
]);

/** Made by triggers from a table that is moved; PostgreSQL has its own way for what it is for. */
const MADE_FROM_OTHERS: ReadonlySet<string> = new Set(["vector_blocks"]);

/** The tables of an SQLite file in the order of their making, without the one that records the steps of its schema. */
export async function readSourceTables(
  sql: Sql,
  { record, notCopied }: { readonly record: string; readonly notCopied: readonly NotCopied[] },
): Promise<readonly Table[]> {
  const rows = await sql.query<ColumnRow>(
    `select made.name as table_name, col.name, lower(col.type) as type, col.pk
     from sqlite_schema as made join pragma_table_info(made.name) as col
     where made.type = 'table' and substr(made.name, 1, 7) <> 'sqlite_' and made.name <> $1
     order by made.rowid, col.cid`,
    [record],
  );
  const moved = rows.filter(({ table_name: name }) => !MADE_FROM_OTHERS.has(name));
  const grouped = Map.groupBy(moved, ({ table_name: name }) => name);
  return [...grouped].map(([name, columns]) => toTable(name, columns, notCopied));
}

function toTable(name: string, rows: readonly ColumnRow[], allNotCopied: readonly NotCopied[]): Table {
  const notCopied = allNotCopied.filter(({ table }) => table === name);
  const columns = rows
    .filter((row) => !notCopied.some(({ column }) => column === row.name))
    .map((row) => toColumn(name, row));
  const key = rows
    .filter(({ pk }) => pk > 0)
    .toSorted((a, b) => a.pk - b.pk)
    .map((row) => toColumn(name, row));
  if (key.length === 0) throw new Error(`The table ${name} has no primary key to move it by.`);
  return { name, columns, notCopied, key };
}

function toColumn(table: string, { name, type }: ColumnRow): Column {
  const kind = KINDS.get(type);
  if (kind === undefined) throw new Error(`Nobody has said how ${table}.${name} (${type}) is moved.`);
  return { name, kind };
}

/** The same columns on both sides, but for those that PostgreSQL computes from others. */
export async function assertSameColumns(tables: readonly Table[], target: Sql): Promise<void> {
  for (const { name, columns, notCopied } of tables) {
    const rows = await target.query<{ column_name: string }>(
      `select column_name from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'`,
      [name],
    );
    const there = rows.map((row) => row.column_name).toSorted();
    const here = [
      ...columns.map((column) => column.name),
      ...notCopied.map(({ column }) => column),
    ].toSorted();
    if (there.join() === here.join()) continue;
    throw new Error(
      `The table ${name} has other columns in PostgreSQL: ${there.join()} and not ${here.join()}.`,
    );
  }
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Every value as text, in which a whole number of 64 bits is exact. `toHex` are the engine's words for bytes as capital
 * hexadecimal digits.
 */
export function selectList(columns: readonly Column[], toHex: (name: string) => string): string {
  const asText = ({ name, kind }: Column): string =>
    kind === "blob" ? toHex(quoted(name)) : `cast(${quoted(name)} as text)`;
  return columns.map((column) => `${asText(column)} as ${quoted(column.name)}`).join(", ");
}

/** How much a row takes, but for its numbers; the same words for both engines. */
export function bytesOf(columns: readonly Column[]): string {
  const sized = columns.filter(({ kind }) => kind !== "integer");
  return ["0", ...sized.map(({ name }) => `coalesce(octet_length(${quoted(name)}), 0)`)].join(" + ");
}
