/** Access to the records of an installation, for the checks that read them. A database that isn't migrated stays closed. */
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import type { StoreFacts } from "../store/store-facts.ts";
import { type CheckFinding, notChecked, unknown } from "./check.ts";

/** Workers by their heartbeats. One that is idle leaves no trace. */
export type WorkerFacts = {
  /** Workers with a job whose heartbeat is in time. */
  readonly alive: number;
  /** Jobs whose worker hasn't sent a heartbeat in time. */
  readonly lostJobs: number;
};

export type OpenedRecords = {
  readonly queue: Pick<Queue, "stats" | "list" | "listSerial" | "read">;
  readonly database: Database;
  readonly readWorkers: () => Promise<WorkerFacts>;
  /** The time that all processes of an installation share, in milliseconds since 1970. */
  readonly now: () => number;
};

/** The records, or the finding that says why they can't be read. */
export type RecordsResult =
  | { readonly kind: "opened"; readonly records: OpenedRecords }
  | { readonly kind: "closed"; readonly findings: readonly CheckFinding[] };

/** `subject` begins the sentence that says what wasn't checked. */
export type OpenRecords = (subject: string) => Promise<RecordsResult>;

export type RecordsDeps = {
  readonly inspect: () => Promise<StoreFacts>;
  /** Opening migrates the database. The first call opens; later ones get the same records. */
  readonly open: () => Promise<OpenedRecords>;
};

export function createRecordsAccess({ inspect, open }: RecordsDeps): OpenRecords {
  return async (subject) => {
    const unreadable = (why: string): RecordsResult => ({
      kind: "closed",
      findings: [
        unknown("database-unreachable", {
          what: `${subject} couldn't be checked: ${why}.`,
          remedy: "First fix what this report says about the database.",
        }),
      ],
    });
    const absent = (why: string): RecordsResult => ({
      kind: "closed",
      findings: [notChecked(`${subject}: ${why}.`)],
    });
    try {
      const facts = await inspect();
      if (facts.kind === "absent") return absent("there is no database yet");
      const { schema, writeFailure } = facts;
      if (schema === null) return absent("the database has no tables yet");
      if (schema.foreign !== null || schema.missing.length > 0)
        return unreadable("the database belongs to another version of Kodiai");
      // Opening looks for migrations in a transaction that writes.
      if (writeFailure !== null) return unreadable("the database can't be written");
      return { kind: "opened", records: await open() };
    } catch {
      return unreadable("the database can't be read");
    }
  };
}
