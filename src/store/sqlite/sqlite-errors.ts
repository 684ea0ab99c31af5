/** Turns SQLite errors into messages for operators. Errors in Kodiai's own SQL stay unchanged. */
import { KodiaiError } from "../../base/errors.ts";

/** SQLite's primary result codes whose cause is outside Kodiai. */
const FAILURES: ReadonlyMap<number, { what: string; hint: string; isRetryable: boolean }> = new Map([
  [
    5,
    {
      what: "has been locked by another process for too long",
      hint: "Find the program that has the file open. Backup tools should use SQLite's backup API.",
      isRetryable: true,
    },
  ],
  [
    6,
    {
      what: "is locked",
      hint: "Find the program that has the file open.",
      isRetryable: true,
    },
  ],
  [
    8,
    {
      what: "is read-only",
      hint: "Make the file and its folder writable for the user that runs Kodiai.",
      isRetryable: false,
    },
  ],
  [
    10,
    {
      what: "can't be read or written (I/O error)",
      hint: "Check the disk and the file system. SQLite doesn't work on network file systems.",
      isRetryable: true,
    },
  ],
  [
    11,
    {
      what: "is corrupt",
      hint: "Stop Kodiai and restore the file with its -wal and -shm files from a backup.",
      isRetryable: false,
    },
  ],
  [
    13,
    {
      what: "can't grow because the disk is full",
      hint: "Free up disk space. Nothing that Kodiai acknowledged was lost.",
      isRetryable: true,
    },
  ],
  [
    14,
    {
      what: "can't be opened",
      hint: "Check the path, and that the user running Kodiai can write to the folder.",
      isRetryable: false,
    },
  ],
  [
    26,
    {
      what: "is not an SQLite database",
      hint: "Set DATABASE_URL to another file, or restore this one from a backup.",
      isRetryable: false,
    },
  ],
]);

/** Explains errors that an operator can act on. Any other error is a bug and stays unchanged. */
export function explainSqliteError(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === "ERR_OUT_OF_RANGE") {
    return new KodiaiError("database", `The database ${path} contains a number too large to be exact`, {
      hint: "Only numbers above 9007199254740991 cause this. Report it with the command you ran.",
      cause: error,
    });
  }
  if (code !== "ERR_SQLITE_ERROR" || typeof errcode !== "number") return error;
  // The lowest byte of an extended code is the primary code.
  const failure = FAILURES.get(errcode & 0xff);
  if (failure === undefined) return error;
  return new KodiaiError("database", `The database ${path} ${failure.what}`, {
    hint: failure.hint,
    retryable: failure.isRetryable,
    cause: error,
  });
}
