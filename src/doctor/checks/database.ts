/** The database: reachable, migrated, writable, with room, a log of the usual size and the right time. Changes nothing. */
import type { StoreFacts } from "../../store/store-facts.ts";
import { count } from "../../base/count.ts";
import {
  adviceOf,
  type CheckFinding,
  type DoctorCheck,
  failure,
  fine,
  notChecked,
  warning,
} from "../check.ts";
import { describeBytes } from "../describe-bytes.ts";

/** Below this, Kodiai accepts no webhook any more (`database-file.ts`). */
const MIN_FREE_BYTES = 64_000_000;

/** A busy installation writes this much in a few weeks. */
const LOW_FREE_BYTES = 1_000_000_000;

/** The host accepts an app's signature for a minute around its own time. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

export type DatabaseDeps = {
  readonly inspect: () => Promise<StoreFacts>;
  /** The operator configured an app or a database. Without either, this machine needs none. */
  readonly isExpected: boolean;
};

export function createDatabaseCheck({ inspect, isExpected }: DatabaseDeps): DoctorCheck {
  return {
    name: "database",
    async run(signal) {
      let facts: StoreFacts;
      try {
        facts = await inspect();
      } catch (error) {
        signal.throwIfAborted();
        return [failure("database-unreachable", adviceOf(error))];
      }
      if (facts.kind === "found") return judge(facts);
      if (!isExpected) return [notChecked("There is no database. Only the app needs one.")];
      return [
        warning("database-missing", {
          what: `There is no database at ${facts.place}.`,
          remedy: "`kodiai serve` creates it at its first start. If there was one, check DATABASE_URL.",
        }),
      ];
    },
  };
}

type Found = Extract<StoreFacts, { readonly kind: "found" }>;

function judge(facts: Found): readonly CheckFinding[] {
  const troubles = [...judgeSchema(facts), ...judgeWriting(facts), ...judgeLog(facts), ...judgeClock(facts)];
  const summary = fine(`The database ${facts.place} is reachable, migrated and writable.`);
  return [...(troubles.length === 0 ? [summary] : troubles), ...judgeSpace(facts)];
}

function judgeSchema({ schema, place }: Found): readonly CheckFinding[] {
  if (schema?.foreign != null)
    return [
      failure("database-newer", {
        what: `A newer version of Kodiai has migrated the database ${place}.`,
        remedy: "Run the newer version, or restore a backup from before the upgrade.",
      }),
    ];
  if (schema !== null && schema.missing.length === 0) return [];
  const what =
    schema === null
      ? `The database ${place} has no Kodiai tables yet.`
      : `The database ${place} lacks ${count(schema.missing.length, "migration")} of this version.`;
  const remedy = "`kodiai serve` and `kodiai worker` migrate it when they start. Restart them.";
  return [warning("database-not-migrated", { what, remedy })];
}

function judgeWriting({ writeFailure }: Found): readonly CheckFinding[] {
  return writeFailure === null ? [] : [failure("database-read-only", adviceOf(writeFailure))];
}

function judgeSpace({ freeBytes, place }: Found): readonly CheckFinding[] {
  if (freeBytes === null)
    return [notChecked("The free space of the database's disk: the database server doesn't report it.")];
  if (freeBytes >= LOW_FREE_BYTES) return [fine(`${describeBytes(freeBytes)} are free for the database.`)];
  const state = freeBytes < MIN_FREE_BYTES ? failure : warning;
  return [
    state("database-disk-full", {
      what: `The disk with the database ${place} has only ${describeBytes(freeBytes)} left.`,
      remedy: `Free up disk space. Below ${describeBytes(MIN_FREE_BYTES)}, Kodiai accepts no webhooks.`,
    }),
  ];
}

function judgeLog({ log }: Found): readonly CheckFinding[] {
  if (log === null)
    return [notChecked("The size of the write-ahead log: this database user may not read it.")];
  if (log.bytes <= log.usualBytes) return [];
  return [
    warning("database-log-large", {
      what: `The write-ahead log of the database has ${describeBytes(log.bytes)}.`,
      remedy: "Find the program that keeps an old transaction, replication slot or backup open, and end it.",
    }),
  ];
}

function judgeClock({ aheadMs }: Found): readonly CheckFinding[] {
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return [];
  const seconds = count(Math.round(Math.abs(aheadMs) / 1_000), "second");
  return [
    warning("clock-differs", {
      what: `The clock of the database is ${seconds} ${aheadMs > 0 ? "ahead of" : "behind"} this machine's.`,
      remedy: "Synchronize both clocks with NTP.",
    }),
  ];
}
