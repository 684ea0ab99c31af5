/** Says what a failure of SQLite means to the person who runs the program; failures of our own SQL stay as they are. */
import { KodiaiError } from "../../base/errors.ts";

/** SQLite's primary result codes that have a cause outside the program. */
const FAILURES: ReadonlyMap<number, { what: string; hint: string; isRetryable: boolean }> = new Map([
  [
    5,
    {
      what: "is locked by another process for too long",
      hint: "See which other program holds the file open; a backup tool should use SQLite's own backup.",
      isRetryable: true,
    },
  ],
  [
    6,
    {
      what: "is locked",
      hint: "See which other program holds the file open.",
      isRetryable: true,
    },
  ],
  [
    8,
    {
      what: "cannot be written",
      hint: "Make the file and its folder writable for the user that runs Kodiai.",
      isRetryable: false,
    },
  ],
  [
    10,
    {
      what: "cannot be read or written (input/output error)",
      hint: "Check the disk and the file system that hold it; network file systems do not work with SQLite.",
      isRetryable: true,
    },
  ],
  [
    11,
    {
      what: "is damaged",
      hint: "Stop Kodiai and restore the file, with its -wal and -shm files, from a backup.",
      isRetryable: false,
    },
  ],
  [
    13,
    {
      what: "has no room left on its disk",
      hint: "Free space on the disk that holds it; nothing that was acknowledged has been lost.",
      isRetryable: true,
    },
  ],
  [
    14,
    {
      what: "cannot be opened",
      hint: "Check that the path is right and that the folder may be entered and written.",
      isRetryable: false,
    },
  ],
  [
    26,
    {
      what: "is not an SQLite database",
      hint: "Point DATABASE_URL to another file, or restore this one from a backup.",
      isRetryable: false,
    },
  ],
]);

/** The same error for what a person can act on; anything else unchanged, since it is a defect. */
export function explainSqliteError(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === "ERR_OUT_OF_RANGE") {
    return new KodiaiError("database", `The database ${path} holds a number too large to be exact`, {
      hint: "Only a number beyond 9007199254740991 can cause this; report it with the name of the command.",
      cause: error,
    });
  }
  if (code !== "ERR_SQLITE_ERROR" || typeof errcode !== "number") return error;
  // Extended codes carry the primary one in their lowest byte.
  const failure = FAILURES.get(errcode & 0xff);
  if (failure === undefined) return error;
  return new KodiaiError("database", `The database ${path} ${failure.what}`, {
    hint: failure.hint,
    retryable: failure.isRetryable,
    cause: error,
  });
}
