/**
 * The Database port: SQL that runs unchanged on SQLite and PostgreSQL. What differs between the engines is in the
 * engine files and in `dialect`; nobody else asks which engine it is.
 *
 * Statements use `$1`, `$2`, … and only what both engines understand: `insert … on conflict … do update`, `returning`,
 * common table expressions, `coalesce`. Times are milliseconds since 1970 in `bigint` columns, flags are 0 or 1, JSON is
 * text, and ids of GitHub are 64-bit integers. A number that is given for a text column is stored as its digits; a value
 * that stands alone (`select $1 as a`) has no type but text.
 */

/** Bytes are given and read as a `Uint8Array` of its own memory, exactly. */
export type SqlValue = string | number | Uint8Array | null;

export type Row = Readonly<Record<string, SqlValue>>;

export type Sql = {
  /** Runs one statement; the rows of a select or of `returning`. Values never become part of the text. */
  query<Result extends Row = Row>(sql: string, params?: readonly SqlValue[]): Promise<readonly Result[]>;
};

/** Fragments of migrations for which the engines have different words. */
export type Dialect = {
  readonly name: "sqlite" | "postgres";
  /** Type and constraints of a column that numbers its rows upwards and never gives a number twice. */
  readonly identity: string;
  /** Type of a column that holds bytes. */
  readonly bytes: string;
  /** Makes a step of a schema wait for those of other processes; null when every transaction waits for the others. */
  readonly lockSchema: string | null;
};

export type Database = Sql & {
  readonly dialect: Dialect;
  /**
   * One write transaction: all of it or nothing, also when `work` goes on after one of its statements has failed. It is
   * durable when the promise resolves. `work` waits for nothing but its own statements and has no other effect: it may
   * be run again when the database asks for it. With SQLite the transactions of all processes run one after the other;
   * with PostgreSQL they run side by side, and whoever reads what it is going to write locks it first.
   */
  transaction<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value>;
  /** Throws, with the reason, unless something can be written now and would be kept. */
  assertWritable(): Promise<void>;
  close(): Promise<void>;
};

/** Reads may run beside a transaction, and again after a failure. What is not surely a read is treated as a write. */
export function isRead(sql: string): boolean {
  return (
    /^\s*(?:select|with)\b/i.test(sql) &&
    !/\b(?:insert|update|delete|for update|pg_\w*lock|pg_notify|nextval|setval)\b/i.test(sql)
  );
}

/**
 * Text as both engines can hold it: PostgreSQL has no U+0000, and neither has halves of characters. They become U+FFFD, as
 * when bytes are decoded that say nothing.
 */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** A statement failed and the work went on as if nothing had happened: what it did is not what it believes. */
export function swallowedFailure(cause: unknown): Error {
  return new Error("The transaction was rolled back: one of its statements failed.", { cause });
}
