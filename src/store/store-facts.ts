/** What can be said about a database without changing it. */
import type { SchemaDifference } from "./migrate.ts";

export type StoreFacts =
  /** A file that doesn't exist yet. */
  | { readonly kind: "absent"; readonly place: string }
  | {
      readonly kind: "found";
      /** The path of a file, or host and database. Never a password. */
      readonly place: string;
      /** Null if the database has no tables of ours yet. */
      readonly schema: SchemaDifference | null;
      /** Why nothing can be written now; null if it can. */
      readonly writeFailure: Error | null;
      /** On the disk of the database; null if the engine doesn't report it. */
      readonly freeBytes: number | null;
      /** The write-ahead log, and the size that it usually doesn't exceed; null if this user may not read it. */
      readonly log: { readonly bytes: number; readonly usualBytes: number } | null;
      /** How far the shared clock of the installation is ahead of this machine's; negative if it's behind. */
      readonly aheadMs: number;
    };
