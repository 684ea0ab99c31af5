/** The store of jobs: their rows, their statistics, their queue and their clock. */
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";

export type JobStore = {
  readonly database: Database;
  /** Statistics that nothing depends on. */
  readonly telemetry: Database;
  readonly queue: Queue;
  /** The store's clock; milliseconds since 1970. */
  readonly now: () => number;
};

/** Enough for a step that only reads and writes rows. */
export type RowStore = Pick<JobStore, "database" | "now">;
