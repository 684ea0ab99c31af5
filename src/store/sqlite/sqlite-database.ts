/**
 * The Database port over one SQLite file, for any number of processes on one machine. Reads outside a transaction have a
 * connection of their own and see only what has been committed.
 *
 * A commit waits for the disk, so transactions that are wanted at the same time share one: they run one after the other,
 * each within a savepoint, and all of them resolve after the commit. What fails is rolled back alone.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { KodiaiError } from "../../base/errors.ts";
import { yieldToEventLoop } from "../../base/event-loop.ts";
import { assertFreeSpace, type FileInPlace, watchFile } from "./file-in-place.ts";
import { openConnection, type SqliteConnection } from "./sqlite-connection.ts";
import { type Database, isRead, type Row, type Sql, type SqlValue, swallowedFailure } from "../database.ts";

// Enough to share the cost of a commit among all requests of a turn; more would only make the first of them wait.
const MAX_TRANSACTIONS_PER_COMMIT = 100;

// Other processes wait for the file meanwhile, and so does everything else in this one.
const MAX_BATCH_MS = 20;

// A loop of transactions never leaves the current turn of the event loop by itself; timers and sockets need theirs.
const MAX_BUSY_MS = 5;

// SQLite's waiting is not fair: among many busy processes one may be unlucky for the whole busy timeout.
const MAX_BEGIN_TRIES = 3;

// Processes that open a new file at once may collide while it is switched to write-ahead logging, which does not wait.
const MAX_OPEN_TRIES = 100;
const OPEN_PAUSE_MS = 20;

const SQLITE_BUSY = 5;

// SQLite keeps a number of 32 bits for programs.
const MAX_USER_VERSION = 2 ** 31;

export type SqliteOptions = {
  readonly path: string;
  /** `full`: what was committed survives a power cut. `normal`: it survives a crash of the program. */
  readonly synchronous: "full" | "normal";
};

export type SqliteDatabase = Database & {
  /** Runs `hook` inside every transaction, right before its commit. It writes with `run` and nothing else. */
  beforeCommit(hook: (run: SqliteConnection["run"]) => void): void;
};

/** A transaction that waits for its turn. */
type Waiting = {
  readonly run: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

export function openSqliteDatabase({ path, synchronous }: SqliteOptions): SqliteDatabase {
  makeFolder(dirname(path));
  makeFile(path);
  const writer = openWriter(path, synchronous);
  const reader = openReader(path, writer);
  const file = watchFile(path);
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
      return Promise.reject(new Error("A transaction inside a transaction would wait for itself."));
    }
    return new Promise<Value>((resolve, reject) => {
      waiting.push({
        run: () => runWork(writer, current, work),
        // `run` gives what `work` gives, which is a Value.
        resolve: (value) => resolve(value as Value),
        reject,
      });
      running ??= runWaiting();
    });
  }

  async function runWaiting(): Promise<void> {
    // Whoever asks in the same breath comes along.
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
    dialect: {
      name: "sqlite",
      identity: "integer primary key autoincrement",
      bytes: "blob",
      lockSchema: null,
    },
    async query<Result extends Row>(sql: string, params: readonly SqlValue[] = []) {
      if (!isRead(sql)) return transaction((inside) => inside.query<Result>(sql, params));
      if (isClosed) throw closedError(path);
      // The caller names the columns it has asked for.
      return reader.run(sql, params) as readonly Result[];
    },
    transaction,
    async assertWritable() {
      // A page of the file is written, and nothing else uses this number.
      await transaction(async (sql) => {
        const [row] = await sql.query<{ user_version: number }>("pragma user_version");
        await sql.query(`pragma user_version = ${((row?.user_version ?? 0) + 1) % MAX_USER_VERSION}`);
      });
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

type BatchDeps = {
  readonly writer: SqliteConnection;
  readonly file: FileInPlace;
  readonly onCommit: () => void;
};

/** Runs what is waiting within one commit. Never rejects: each transaction hears about itself. */
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
        // SQLite has given up the whole transaction, and with it what the others did.
        if (!writer.isInTransaction()) throw error;
        if (isFirst) break;
        writer.run("rollback to one", []);
        writer.run("release one", []);
      }
    }
    if (succeeded.length > 0) onCommit();
    writer.run(succeeded.length === 0 ? "rollback" : "commit", []);
    // After the commit: what went to a file that is gone must not be acknowledged.
    file.assertInPlace();
  } catch (error) {
    for (const { one } of succeeded) one.reject(error);
    rollBack(writer);
    return;
  }
  for (const { one, value } of succeeded) one.resolve(value);
}

/** After a failure that has been told. Should even this fail, the next transaction cannot begin and says so. */
function rollBack(writer: SqliteConnection): void {
  try {
    if (writer.isInTransaction()) writer.run("rollback", []);
  } catch {
    // Nothing more is known than what was told.
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
      if (!scope.isOpen) throw new Error("The transaction of this statement is over.");
      try {
        // The caller names the columns it has asked for.
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
      // A deferred transaction that reads first and writes later fails when another process has written in between.
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
    // What is kept here tells of private repositories.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new KodiaiError("database", `The folder ${folder} for the database cannot be made`, {
      hint: "Check that its parent folder may be written, or point DATABASE_URL elsewhere.",
      cause: error,
    });
  }
}

/** SQLite gives its other files the same mode. What cannot be made here, SQLite explains when it opens it. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch {
    // It is there already, or never will be.
  }
}

/** Without it the reader would wait for the writer, and the writer for the reader. */
function noLog(path: string): KodiaiError {
  return new KodiaiError("database", `The database ${path} cannot be switched to write-ahead logging`, {
    hint: "Put it on a local disk: network file systems and memory do not work.",
  });
}

function closedError(path: string): KodiaiError {
  return new KodiaiError("database", `The database ${path} has been closed`, {
    hint: "The program is shutting down.",
  });
}
