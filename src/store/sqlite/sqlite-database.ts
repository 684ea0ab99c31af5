/**
 * The Database port over one SQLite file, for any number of processes on one machine. Reads outside a transaction use a
 * separate connection and see only committed data.
 *
 * A commit waits for the disk, so concurrent transactions share one: they run one after the other, each in a savepoint, and
 * all of them resolve after the commit. A failed transaction is rolled back on its own.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { KodiaiError } from "../../base/errors.ts";
import { yieldToEventLoop } from "../../base/event-loop.ts";
import { makeFolders } from "../../base/make-folders.ts";
import { assertFreeSpace, type DatabaseFile, watchDatabaseFile } from "./database-file.ts";
import { openConnection, type SqliteConnection } from "./sqlite-connection.ts";
import {
  type Database,
  type Dialect,
  isRead,
  type Row,
  type Sql,
  type SqlValue,
  swallowedFailure,
} from "../database.ts";

// Enough to share the cost of a commit among all concurrent requests. More would only delay the first of them.
const MAX_TRANSACTIONS_PER_COMMIT = 100;

// Bounds how long other processes wait for the file, and how long everything else in this process waits.
const MAX_BATCH_MS = 20;

// A loop of transactions never yields to the event loop on its own, but timers and sockets need it.
const MAX_BUSY_MS = 5;

// SQLite's locks aren't fair: among many busy processes, one may fail to get the lock for the whole busy timeout.
const MAX_BEGIN_TRIES = 3;

// Processes that open a new file at once may collide while one switches it to write-ahead logging, which doesn't wait.
const MAX_OPEN_TRIES = 100;
const OPEN_PAUSE_MS = 20;

const SQLITE_BUSY = 5;

// `user_version` is a 32-bit number that SQLite reserves for applications.
const MAX_USER_VERSION = 2 ** 31;

export type SqliteOptions = {
  readonly path: string;
  /** `full`: commits survive a power cut. `normal`: commits survive a crash of Kodiai. */
  readonly synchronous: "full" | "normal";
};

export type SqliteDatabase = Database & {
  /** Runs `hook` inside every transaction, right before its commit. The hook writes only with `run`. */
  beforeCommit(hook: (run: SqliteConnection["run"]) => void): void;
};

/** A transaction that waits to run. */
type Waiting = {
  readonly run: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

const DIALECT: Dialect = {
  name: "sqlite",
  identity: "integer primary key autoincrement",
  bytes: "blob",
  lockSchema: null,
};

export function openSqliteDatabase({ path, synchronous }: SqliteOptions): SqliteDatabase {
  makeFolder(dirname(path));
  makeFile(path);
  const writer = openWriter(path, synchronous);
  const reader = openReader(path, writer);
  const file = watchDatabaseFile(path);
  const run: SqliteConnection["run"] = (sql, params) => writer.run(sql, params);
  const waiting: Waiting[] = [];
  const current = new AsyncLocalStorage<{ isOpen: boolean }>();
  let running: Promise<void> | null = null;
  let yieldedAt = 0;
  let isClosed = false;
  let onCommit: Parameters<SqliteDatabase["beforeCommit"]>[0] = () => {};

  function transaction<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value> {
    if (isClosed) return Promise.reject(closedError(path));
    if (current.getStore()?.isOpen === true) {
      return Promise.reject(
        new Error("Transactions can't be nested: the inner one would wait for the outer one."),
      );
    }
    return new Promise<Value>((resolve, reject) => {
      waiting.push({
        run: () => runWork(writer, current, work),
        // `run` returns the result of `work`, which is a Value.
        resolve: (value) => resolve(value as Value),
        reject,
      });
      running ??= runWaiting();
    });
  }

  async function runWaiting(): Promise<void> {
    // Transactions requested in the same tick join the batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      if (performance.now() - yieldedAt > MAX_BUSY_MS) {
        await yieldToEventLoop();
        yieldedAt = performance.now();
      }
      await runBatch(waiting, { writer, file, onCommit: () => onCommit(run) });
    }
    running = null;
  }

  return {
    dialect: DIALECT,
    async query<Result extends Row>(sql: string, params: readonly SqlValue[] = []) {
      if (!isRead(sql)) return transaction((inside) => inside.query<Result>(sql, params));
      if (isClosed) throw closedError(path);
      // The caller's type names the columns it selects.
      return reader.run(sql, params) as readonly Result[];
    },
    transaction,
    async assertWritable() {
      await transaction(writePage);
      assertFreeSpace(path);
    },
    beforeCommit(hook) {
      onCommit = hook;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await running;
      reader.close();
      writer.close();
    },
  };
}

/** Writes a page of the file. Nothing else uses this number. */
async function writePage(sql: Sql): Promise<void> {
  const [row] = await sql.query<{ user_version: number }>("pragma user_version");
  await sql.query(`pragma user_version = ${((row?.user_version ?? 0) + 1) % MAX_USER_VERSION}`);
}

type BatchDeps = {
  readonly writer: SqliteConnection;
  readonly file: DatabaseFile;
  readonly onCommit: () => void;
};

/** Runs waiting transactions in one commit. Never rejects: each transaction gets its own result or error. */
async function runBatch(waiting: Waiting[], { writer, file, onCommit }: BatchDeps): Promise<void> {
  try {
    await begin(writer);
  } catch (error) {
    for (const one of waiting.splice(0)) one.reject(error);
    return;
  }
  const startedAt = performance.now();
  const succeeded: { readonly one: Waiting; readonly value: unknown }[] = [];
  try {
    while (succeeded.length < MAX_TRANSACTIONS_PER_COMMIT && performance.now() - startedAt < MAX_BATCH_MS) {
      const one = waiting.shift();
      if (one === undefined) break;
      const isFirst = succeeded.length === 0;
      try {
        if (!isFirst) writer.run("savepoint one", []);
        const value = await one.run();
        if (!isFirst) writer.run("release one", []);
        succeeded.push({ one, value });
      } catch (error) {
        one.reject(error);
        // SQLite has rolled back the whole transaction, including the work of the others.
        if (!writer.isInTransaction()) throw error;
        if (isFirst) break;
        writer.run("rollback to one", []);
        writer.run("release one", []);
      }
    }
    if (succeeded.length > 0) onCommit();
    writer.run(succeeded.length === 0 ? "rollback" : "commit", []);
    // Checked after the commit, because writes to a deleted file must not be acknowledged.
    file.assertUnchanged();
  } catch (error) {
    for (const { one } of succeeded) one.reject(error);
    rollBack(writer);
    return;
  }
  for (const { one, value } of succeeded) one.resolve(value);
}

/** Rolls back after an error that was already reported. If this fails too, the next transaction reports it. */
function rollBack(writer: SqliteConnection): void {
  try {
    if (writer.isInTransaction()) writer.run("rollback", []);
  } catch {
    // The first error was reported; there is nothing to add.
  }
}

async function runWork<Value>(
  writer: SqliteConnection,
  current: AsyncLocalStorage<{ isOpen: boolean }>,
  work: (sql: Sql) => Promise<Value>,
): Promise<Value> {
  const scope = { isOpen: true };
  const failures: unknown[] = [];
  const sql: Sql = {
    async query<Result extends Row>(text: string, params: readonly SqlValue[] = []) {
      if (!scope.isOpen) throw new Error("The transaction of this statement has ended.");
      try {
        // The caller's type names the columns it selects.
        return writer.run(text, params) as readonly Result[];
      } catch (error) {
        failures.push(error);
        throw error;
      }
    },
  };
  try {
    const value = await current.run(scope, () => work(sql));
    if (failures.length > 0) throw swallowedFailure(failures[0]);
    return value;
  } finally {
    scope.isOpen = false;
  }
}

async function begin(writer: SqliteConnection): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      // A deferred transaction that reads and later writes fails if another process has written in between.
      writer.run("begin immediate", []);
      return;
    } catch (error) {
      if (tries >= MAX_BEGIN_TRIES || !isBusy(error)) throw error;
    }
    await yieldToEventLoop();
  }
}

function openWriter(path: string, synchronous: SqliteOptions["synchronous"]): SqliteConnection {
  const writer = openConnection(path, { isReadOnly: false });
  for (let tries = 1; ; tries++) {
    try {
      const [journal] = writer.run("pragma journal_mode = wal", []);
      if (journal?.["journal_mode"] !== "wal") throw noLog(path);
      writer.run(`pragma synchronous = ${synchronous}`, []);
      writer.run("pragma foreign_keys = on", []);
      // A statement over many rows keeps the pages that it changes until it ends, by default in a new file each time.
      writer.run("pragma temp_store = memory", []);
      // Room for what a large transaction changes. With SQLite's 2 MB, pages are written and read again before it ends.
      writer.run("pragma cache_size = -16000", []);
      return writer;
    } catch (error) {
      if (tries >= MAX_OPEN_TRIES || !isBusy(error)) {
        writer.close();
        throw error;
      }
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_PAUSE_MS);
  }
}

function openReader(path: string, writer: SqliteConnection): SqliteConnection {
  try {
    return openConnection(path, { isReadOnly: true });
  } catch (error) {
    writer.close();
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  const cause = error instanceof KodiaiError ? error.cause : null;
  return cause instanceof Error && "errcode" in cause && Number(cause.errcode) % 256 === SQLITE_BUSY;
}

function makeFolder(folder: string): void {
  try {
    // The database contains data of private repositories.
    makeFolders(folder, 0o700);
  } catch (error) {
    throw new KodiaiError("database", `The folder ${folder} for the database can't be created`, {
      hint: "Make its parent folder writable, or set DATABASE_URL to another path.",
      cause: error,
    });
  }
}

/** SQLite gives its other files the same mode. If creation fails here, SQLite reports the reason when it opens the file. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch {
    // The file exists, or opening it fails with a clear error.
  }
}

/** Without write-ahead logging, the reader and the writer would block each other. */
function noLog(path: string): KodiaiError {
  return new KodiaiError("database", `The database ${path} can't use write-ahead logging`, {
    hint: "Put it on a local disk. Network file systems and in-memory databases don't support it.",
  });
}

function closedError(path: string): KodiaiError {
  return new KodiaiError("database", `The database ${path} is closed`, {
    hint: "Kodiai is shutting down.",
  });
}
