/** The entry of the thread that records webhooks in an SQLite file. It answers a message when all its webhooks are on disk. */
import { parentPort, workerData } from "node:worker_threads";
import { toPortable } from "./base/portable-error.ts";
import { createEventReader } from "./forge/github/parse-event.ts";
import { QUEUE_DEFAULTS } from "./queue/queue.ts";
import { createSqliteQueue } from "./queue/sqlite/sqlite-queue.ts";
import { createIntake, type ReceivedWebhook } from "./server/intake.ts";
import type {
  IntakeAnswer,
  IntakeAnswers,
  IntakeMessage,
  IntakeThreadOptions,
} from "./server/intake-thread.ts";
import { createRepositoryIds } from "./store/repositories/repository-ids.ts";
import { openSqliteDatabase } from "./store/sqlite/sqlite-database.ts";
import { startStoreClock } from "./store/sqlite/store-clock.ts";
import { sqlitePathOf } from "./store/store.ts";

// Only intake-thread.ts starts this thread and sends messages.
const { databaseUrl, appId, host } = workerData as IntakeThreadOptions;
const database = openSqliteDatabase({ path: sqlitePathOf(databaseUrl), synchronous: "full" });
const clock = await startStoreClock(database, {
  wall: () => Date.now(),
  steady: () => performance.now(),
  // The clock of the main thread reports it.
  onSetBack: () => {},
});
const intake = createIntake({
  database,
  queue: createSqliteQueue(database, QUEUE_DEFAULTS, clock.now),
  repositoryIds: createRepositoryIds(database, host),
  readEvents: (slug) => createEventReader({ appId, slug, host }),
});

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
  clock.stop();
  await database.close();
  parentPort?.close();
}
