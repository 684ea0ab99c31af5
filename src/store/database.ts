/**
 * The Database port: SQL that runs unchanged on SQLite and PostgreSQL. Differences between the engines are confined to
 * their own files and to `dialect`; no other code checks which engine it runs on.
 *
 * Statements use `$1`, `$2`, … and only features of both engines: `insert … on conflict … do update`, `returning`, common
 * table expressions, `coalesce`. Times are milliseconds since 1970 in `bigint` columns, flags are 0 or 1, JSON is text, and
 * hosts' ids are 64-bit integers. A number written to a text column is stored as its digits. A value without a column
 * (`select $1 as a`) is text.
 */

/** Bytes are a `Uint8Array` with a buffer of exactly its size. */
export type SqlValue = string | number | Uint8Array | null;

export type Row = Readonly<Record<string, SqlValue>>;

export type Sql = {
  /** Runs one statement and returns the rows of a `select` or of `returning`. Values never become part of the SQL text. */
  query<Result extends Row = Row>(sql: string, params?: readonly SqlValue[]): Promise<readonly Result[]>;
};

/** SQL fragments for migrations that differ between the engines. */
export type Dialect = {
  readonly name: "sqlite" | "postgres";
  /** Type and constraints of an identity column, which never reuses a number. */
  readonly identity: string;
  /** Type of a column that holds bytes. */
  readonly bytes: string;
  /** Serializes migrations of several processes. Null if the engine serializes all transactions anyway. */
  readonly lockSchema: string | null;
};

export type Database = Sql & {
  readonly dialect: Dialect;
  /**
   * Runs a write transaction, which happens completely or not at all, even if `work` ignores a failed statement. It is
   * durable when the promise resolves. `work` awaits only its own statements and has no other effect, because it runs again
   * when the database requires a retry. SQLite runs the transactions of all processes one after the other. PostgreSQL runs
   * them concurrently, so `work` must lock rows that it reads in order to change them.
   */
  transaction<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value>;
  /** Throws with the reason if the database can't be written now, or wouldn't keep the data. */
  assertWritable(): Promise<void>;
  close(): Promise<void>;
};

/** Reads may run alongside a transaction and may be retried. A statement counts as a write unless it is clearly a read. */
export function isRead(sql: string): boolean {
  return (
    /^\s*(?:select|with)\b/i.test(sql) &&
    !/\b(?:insert|update|delete|for update|pg_\w*lock|pg_notify|nextval|setval)\b/i.test(sql)
  );
}

/**
 * Returns text that both engines can store. PostgreSQL can't store U+0000, and neither engine can store lone surrogates;
 * they become U+FFFD, as in decoders.
 */
export function toStorableText(text: string): string {
  // Nearly every text is storable, and looking takes a fraction of the time.
  if (text.isWellFormed() && !text.includes("\0")) return text;
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** The work ignored a failed statement, so its result can't be trusted. */
export function swallowedFailure(cause: unknown): Error {
  return new Error("The transaction was rolled back: one of its statements failed.", { cause });
}
