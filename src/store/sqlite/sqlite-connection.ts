/** One connection to an SQLite file: prepares each statement once, binds values exactly, and explains errors. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { explainSqliteError } from "./sqlite-errors.ts";
import { type Row, type SqlValue, toStorableText } from "../database.ts";

// How long a statement waits for another process's transaction, which takes milliseconds. With SQLite's default of 0, half
// of the writes fail when four processes write.
const BUSY_TIMEOUT_MS = 5_000;

// Kodiai has a few hundred statements. The limit keeps generated ones from accumulating.
const MAX_STATEMENTS = 500;

export type SqliteConnection = {
  run(sql: string, params: readonly SqlValue[]): readonly Row[];
  /** Whether SQLite is inside a transaction. It rolls one back on its own when the disk is full or fails. */
  isInTransaction(): boolean;
  close(): void;
};

type Prepared = { readonly statement: StatementSync; readonly parameterCount: number };

export function openConnection(path: string, options: { readonly isReadOnly: boolean }): SqliteConnection {
  const handle = explained(
    path,
    () => new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: options.isReadOnly }),
  );
  const prepared = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    const { text, parameterCount } = numberPlaceholders(sql);
    const made = { statement: handle.prepare(text), parameterCount };
    if (prepared.size >= MAX_STATEMENTS) prepared.clear();
    prepared.set(sql, made);
    return made;
  }

  return {
    // Not through `explained`: this runs twenty times for each job.
    run(sql, params) {
      try {
        const { statement, parameterCount } = prepared.get(sql) ?? prepare(sql);
        if (params.length !== parameterCount) {
          throw new TypeError(
            `The statement has ${parameterCount} parameters, but got ${params.length} values: ${sql}`,
          );
        }
        // SQLite returns no other types: integers are read as numbers and blobs as bytes.
        return (parameterCount === 0 ? statement.all() : statement.all(...params.map(toBound))) as Row[];
      } catch (error) {
        throw explainSqliteError(error, path);
      }
    },
    isInTransaction: () => handle.isTransaction,
    close: () => explained(path, () => handle.close()),
  };
}

function explained<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw explainSqliteError(error, path);
  }
}

/**
 * Turns `$1` into SQLite's positional `?1`, except inside quotes, and into `?` where all are in order: SQLite looks up the name of each
 * numbered parameter in a list, so that binding many takes quadratic time. The count lets the caller reject missing values, which SQLite
 * would bind as null.
 */
export function numberPlaceholders(sql: string): { readonly text: string; readonly parameterCount: number } {
  const numbers = [...sql.matchAll(PLACEHOLDER)].flatMap(([, digits]) => digits ?? []).map(Number);
  const isInOrder = numbers.every((number, index) => number === index + 1);
  const text = sql.replace(PLACEHOLDER, (match, digits: string | undefined) =>
    digits === undefined ? match : isInOrder ? "?" : `?${digits}`,
  );
  return { text, parameterCount: numbers.reduce((most, number) => Math.max(most, number), 0) };
}

/** Text in quotes, or a placeholder. */
const PLACEHOLDER = /'[^']*'|\$(\d+)/g;

/** The driver binds every number as a float, which would turn 5 into "5.0" in a text column. */
function toBound(value: SqlValue): string | number | bigint | Uint8Array | null {
  if (typeof value === "string") return toStorableText(value);
  if (typeof value !== "number") return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (Number.isInteger(value) || !Number.isFinite(value)) {
    throw new RangeError(`${value} can't be stored exactly`);
  }
  return value;
}
