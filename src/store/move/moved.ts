/** What a move reports: to people, and to whoever waits for it. */

export type MovedTable = {
  readonly name: string;
  /** In the file, and in PostgreSQL. */
  readonly rows: { readonly source: number; readonly target: number };
  /** SHA-256 over the rows of the file. */
  readonly checksum: string;
  readonly isSame: boolean;
  /** Columns whose values mean nothing elsewhere; they are neither copied nor compared. */
  readonly notCopied: readonly string[];
};

export type Moved = {
  /**
   * `moved`: now. `moved-before`: nothing was changed, and both are still the same. `used-since`: nothing was changed, and
   * only PostgreSQL has gone on. `updated-since`: moved before by a version whose tables were others; nothing was compared.
   */
  readonly outcome: "moved" | "moved-before" | "used-since" | "updated-since";
  /** Milliseconds since 1970. */
  readonly movedAt: number;
  readonly tables: readonly MovedTable[];
};

export type MoveWatch = {
  /** What is being done to which table, and how many of its rows have been. */
  readonly onProgress: (stage: "copying" | "comparing", table: string, done: number, total: number) => void;
  /** Once it is aborted the move stops between two batches, and can be gone on with. */
  readonly signal: AbortSignal;
};
