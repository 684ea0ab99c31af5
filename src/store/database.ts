/**
 * The Database port: SQL that runs unchanged on SQLite and PostgreSQL. What differs between the engines is in the two
 * engine files and in `dialect`; nobody else asks which engine it is.
 *
 * Statements use `$1`, `$2`, … and only what both engines understand: `insert … on conflict … do update`, `returning`,
 * common table expressions, `coalesce`. Times are milliseconds since 1970 in `bigint` columns, flags are 0 or 1, JSON is
 * text, and ids of GitHub are 64-bit integers.
 */

export type SqlValue = string | number | null;

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
};

export type Database = Sql & {
  readonly dialect: Dialect;
  /**
   * One write transaction: all of it or nothing. It is durable when the promise resolves. Transactions of one process
   * run one after the other; `work` waits for nothing but its own statements.
   */
  transaction<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
};
