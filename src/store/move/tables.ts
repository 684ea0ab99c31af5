/** Lists the tables to move. The list comes from the databases themselves, so tables of later migrations are included. */
import type { Sql } from "../database.ts";

/** `kind` uses SQLite's type names; blobs are bytes. */
export type Column = { readonly name: string; readonly kind: "integer" | "text" | "blob" };

/** A column whose values are meaningless in another database, and the value written instead. */
export type NotCopied = { readonly table: string; readonly column: string; readonly value: number };

export type Table = {
  readonly name: string;
  /** The columns that are copied and compared. */
  readonly columns: readonly Column[];
  readonly notCopied: readonly NotCopied[];
  /** The columns of the primary key, in order. */
  readonly key: readonly Column[];
};

type ColumnRow = {
  readonly table_name: string;
  readonly name: string;
  readonly type: string;
  /** Position in the primary key, from 1. 0 for other columns. */
  readonly pk: number;
};

const KINDS: ReadonlyMap<string, Column["kind"]> = new Map([
  ["bigint", "integer"],
  ["integer", "integer"],
  ["text", "text"],
  ["blob", "blob"],
]);

/** Tables that are derived from other tables. PostgreSQL makes its own totals, and has no blocks. */
export const DERIVED_TABLES: ReadonlySet<string> = new Set([
  "vector_blocks",
  "changed_days",
  "daily_totals",
  "daily_costs",
  "changed_finding_days",
  "daily_findings",
  "changed_statistics_days",
  "daily_models",
  "daily_degradations",
]);

/** Returns the tables of an SQLite file in creation order, without the table that records migrations. */
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
  const moved = rows.filter(({ table_name: name }) => !DERIVED_TABLES.has(name));
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
  if (key.length === 0) throw new Error(`The table ${name} can't be moved because it has no primary key.`);
  return { name, columns, notCopied, key };
}

function toColumn(table: string, { name, type }: ColumnRow): Column {
  const kind = KINDS.get(type);
  if (kind === undefined)
    throw new Error(`The column ${table}.${name} has the type ${type}, which the move doesn't support.`);
  return { name, kind };
}

/** Checks that both databases have the same columns, except those that PostgreSQL generates. */
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
      `The table ${name} has different columns in PostgreSQL: ${there.join()} instead of ${here.join()}.`,
    );
  }
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Selects every value as text, which keeps 64-bit integers exact. `toHex` is the engine's SQL for bytes as uppercase
 * hexadecimal digits.
 */
export function selectList(columns: readonly Column[], toHex: (name: string) => string): string {
  const asText = ({ name, kind }: Column): string =>
    kind === "blob" ? toHex(quoted(name)) : `cast(${quoted(name)} as text)`;
  return columns.map((column) => `${asText(column)} as ${quoted(column.name)}`).join(", ");
}

/** SQL for the size of a row in bytes without its integers. It works on both engines. */
export function bytesOf(columns: readonly Column[]): string {
  const sized = columns.filter(({ kind }) => kind !== "integer");
  return ["0", ...sized.map(({ name }) => `coalesce(octet_length(${quoted(name)}), 0)`)].join(" + ");
}
