/** A SQLite installation, an empty PostgreSQL to move it to, and readers of both that share no code with the move. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import { Client } from "pg";
import { moveToPostgres } from "../../../src/compose/move.ts";
import { DERIVED_TABLES } from "../../../src/store/move/tables.ts";
import type { MoveReport, MoveControls } from "../../../src/store/move/move-report.ts";
import { openStore, telemetryPathOf } from "../../../src/store/store.ts";
import { makeDatabase } from "../postgres/shared-cluster.ts";

export type SampleMove = {
  /** Path of the SQLite file, which already has its tables. */
  readonly path: string;
  readonly from: string;
  readonly targetUrl: string;
  /** Runs the move in this process. */
  readonly move: (controls?: Partial<MoveControls>) => Promise<MoveReport>;
};

export async function sampleMove(t: TestContext): Promise<SampleMove> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-move-"));
  const target = await makeDatabase({ isMigrated: false });
  t.after(async () => {
    await target.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, "kodiai.db");
  const from = `sqlite:${path}`;
  await (await openStore(from)).close();
  return { path, from, targetUrl: target.url, move: (controls) => moveHere(from, target.url, controls) };
}

export function moveHere(
  from: string,
  targetUrl: string,
  controls: Partial<MoveControls> = {},
): Promise<MoveReport> {
  return moveToPostgres(from, {
    settings: { environment: { DATABASE_URL: targetUrl }, dotEnv: null, readText: () => null },
    stderr: { isTerminal: false, write: () => {} },
    controls: { onProgress: () => {}, signal: new AbortController().signal, ...controls },
  });
}

const TEXTS = [
  "",
  " ",
  "null",
  "two\nlines\r\nand\ttabs",
  `quotes ' " \` and \\ \\n \\u0000 $1 {"a":[1]}`,
  "Ünïcode, 漢字, עברית, e\u0301",
  "🦝 and \u{10ffff}",
  "\u0001\u001f\u007f\u0085\u2028\ufeff\ufffd",
  "Z",
  "a",
  "ä",
] as const;

/** Larger than a JavaScript number can represent. */
const INTEGERS = [
  0n,
  -1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  2n ** 53n + 1n,
  5_000_000_000n,
  9n,
  10n,
  11n,
  -7n,
  100n,
];

/** Every byte value once. */
const BYTES = Uint8Array.from({ length: 256 }, (_, index) => index);

/** Adds several rows to every table of both files, with texts and numbers that are easily damaged. */
export function fillEveryTable(path: string): void {
  for (const file of [path, telemetryPathOf(path)]) {
    const handle = new DatabaseSync(file);
    try {
      for (const table of tablesOf(handle)) fillTable(handle, table);
    } finally {
      handle.close();
    }
  }
}

function fillTable(handle: DatabaseSync, table: string): void {
  const columns = handle.prepare(`select name, type, "notnull", pk from pragma_table_info('${table}')`).all();
  const names = columns.map(({ name }) => `"${String(name)}"`).join(", ");
  const insert = handle.prepare(
    `insert into "${table}" (${names}) values (${columns.map(() => "?").join(", ")})`,
  );
  for (const [index, text] of TEXTS.entries()) {
    const values = columns.map(({ type }) => {
      if (String(type).toLowerCase() === "text") return text;
      if (String(type).toLowerCase() === "blob") return BYTES.subarray(0, index * index);
      // A small number for flags and for ids that SQLite assigns.
      return String(type).toLowerCase() === "integer" ? BigInt(index + 1) : (INTEGERS[index] ?? 0n);
    });
    insert.run(...values);
  }
  const blank = columns.map(({ type, notnull, pk }) => {
    if (notnull === 0 && pk === 0) return null;
    if (String(type).toLowerCase() === "blob") return BYTES;
    return String(type).toLowerCase() === "text" ? "the row of nulls" : 1_000n;
  });
  insert.run(...blank);
}

function tablesOf(handle: DatabaseSync): readonly string[] {
  const rows = handle
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!'")
    .all();
  return rows
    .map(({ name }) => String(name))
    .filter((name) => !name.endsWith("_migrations") && !DERIVED_TABLES.has(name));
}

/** Every table with its rows as sorted texts. `is_waiting` is excluded, because it isn't copied. */
export type Contents = Readonly<Record<string, readonly string[]>>;

export function readSqlite(path: string): Contents {
  const contents: Record<string, readonly string[]> = {};
  for (const file of [path, telemetryPathOf(path)]) {
    const handle = new DatabaseSync(file);
    try {
      for (const table of tablesOf(handle)) {
        const select = handle.prepare(`select * from "${table}"`);
        select.setReadBigInts(true);
        contents[table] = select.all().map(toLine).toSorted();
      }
    } finally {
      handle.close();
    }
  }
  return contents;
}

/** All tables except derived ones, the records of schemas and of the move, and without computed columns. */
export async function readPostgres(url: string): Promise<Contents> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = current_schema()",
    );
    const contents: Record<string, readonly string[]> = {};
    const isMoved = (name: string): boolean =>
      !/_migrations$|^moves$/.test(name) && !DERIVED_TABLES.has(name);
    for (const { name } of rows.filter((row) => isMoved(row.name))) {
      const columns = await client.query<{ name: string }>(
        `select column_name as name from information_schema.columns
         where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'`,
        [name],
      );
      const names = columns.rows.map((column) => `"${column.name}"`).join(", ");
      const found = await client.query<Record<string, unknown>>(`select ${names} from "${name}"`);
      contents[name] = found.rows.map(toLine).toSorted();
    }
    return contents;
  } finally {
    await client.end();
  }
}

function toLine(row: Readonly<Record<string, unknown>>): string {
  const cells = Object.entries(row).filter(([name]) => name !== "is_waiting");
  return cells
    .map(([name, value]) => `${name}: ${toText(value)}`)
    .toSorted()
    .join(", ");
}

/** A number and its digits compare as equal; all other values keep their type. */
function toText(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("hex")}`;
  return typeof value === "bigint" || typeof value === "number" ? `"${value}"` : JSON.stringify(value);
}
