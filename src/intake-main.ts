/** The entry of the thread that records webhooks. It answers a message when all its webhooks are on disk. */
import { parentPort, workerData } from "node:worker_threads";
import { toPortable } from "./base/portable-error.ts";
import { createEventReader } from "./forge/github/parse-event.ts";
import { type Queue, QUEUE_DEFAULTS } from "./queue/queue.ts";
import { createIntake, type ReceivedWebhook } from "./server/intake.ts";
import type {
  IntakeAnswer,
  IntakeAnswers,
  IntakeMessage,
  IntakeThreadOptions,
} from "./server/intake-thread.ts";
import { createRepositoryIds } from "./store/repositories/repository-ids.ts";
import { openStore } from "./store/store.ts";

/** One for the transaction that records webhooks, and one for the look-up of a repository meanwhile. */
const CONNECTIONS = 2;

// Only intake-thread.ts starts this thread and sends messages.
const { databaseUrl, appId, host } = workerData as IntakeThreadOptions;
// The main thread has created the database, and its clock reports when it is set back.
const store = await openStore(databaseUrl, { mustExist: true, connections: CONNECTIONS });
const { database } = store;
const queue = await openQueue();
const intake = createIntake({
  database,
  queue,
  repositoryIds: createRepositoryIds(database, host),
  readEvents: (slug) => createEventReader({ appId, slug, host }),
});

async function openQueue(): Promise<Queue> {
  const { now, listen } = store;
  if (database.dialect.name === "sqlite") {
    const { createSqliteQueue } = await import("./queue/sqlite/sqlite-queue.ts");
    return createSqliteQueue(database, QUEUE_DEFAULTS, now);
  }
  const { openPostgresQueue } = await import("./queue/postgres/postgres-queue.ts");
  // The main thread wakes workers, so this queue repeats nothing that could fail.
  return openPostgresQueue({ database, options: QUEUE_DEFAULTS, now, listen, onError: () => {} });
}

let turn: Promise<void> = Promise.resolve();

parentPort?.on("message", (webhooks: IntakeMessage) => {
  turn = turn.then(() => (webhooks.length === 0 ? close() : recordAll(webhooks)));
});

async function recordAll(webhooks: IntakeMessage): Promise<void> {
  const answers: IntakeAnswers = await Promise.all(webhooks.map(record));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(answers);
}

async function record(webhook: ReceivedWebhook): Promise<IntakeAnswer> {
  try {
    return { kind: "recorded", recorded: await intake.record(webhook) };
  } catch (error) {
    return toPortable(error);
  }
}

async function close(): Promise<void> {
  await queue.close();
  await store.close();
  parentPort?.close();
}
