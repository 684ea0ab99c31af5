/** The result of a move, and how its caller follows and stops it. */

export type MovedTable = {
  readonly name: string;
  /** Rows in the SQLite file and in PostgreSQL. */
  readonly rows: { readonly source: number; readonly target: number };
  /** SHA-256 over the rows in the SQLite file. */
  readonly checksum: string;
  readonly isSame: boolean;
  /** Columns whose values are meaningless in another database. They are neither copied nor compared. */
  readonly notCopied: readonly string[];
};

export type MoveReport = {
  /**
   * `moved`: this run moved the data. The other outcomes changed nothing. `moved-before`: an earlier run did, and both
   * databases are still the same. `used-since`: PostgreSQL has been used since then. `updated-since`: a version with other
   * tables moved the data, so nothing was compared.
   */
  readonly outcome: "moved" | "moved-before" | "used-since" | "updated-since";
  /** Milliseconds since 1970. */
  readonly movedAt: number;
  readonly tables: readonly MovedTable[];
};

export type MoveControls = {
  /** Called with the stage, the table, and how many of its rows are done. */
  readonly onProgress: (stage: "copying" | "comparing", table: string, done: number, total: number) => void;
  /** Stops the move between two batches. The next run resumes it. */
  readonly signal: AbortSignal;
};
