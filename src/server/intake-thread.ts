/**
 * Records webhooks in a thread, which parses them and writes them to the database with connections of its own. The main thread only
 * receives them: it neither waits for the disk nor parses JSON. A thread that crashes is replaced with the next webhook.
 */
import { Worker } from "node:worker_threads";
import { KodiaiError, messageOf } from "../base/errors.ts";
import { fromPortable, type PortableError } from "../base/portable-error.ts";
import type { Intake, ReceivedWebhook, Recorded } from "./intake.ts";

export type IntakeThreadOptions = {
  readonly databaseUrl: string;
  readonly appId: number;
  readonly host: string;
};

/** An empty list ends the thread. */
export type IntakeMessage = readonly (ReceivedWebhook & { readonly bytes: Uint8Array<ArrayBuffer> })[];

/** One answer for each webhook of the message, in order. */
export type IntakeAnswers = readonly IntakeAnswer[];

export type IntakeAnswer = { readonly kind: "recorded"; readonly recorded: Recorded } | PortableError;

type Waiting = {
  readonly received: ReceivedWebhook;
  readonly resolve: (recorded: Recorded) => void;
  readonly reject: (error: unknown) => void;
};

/** The bundle has all its files in one folder. */
const ENTRY = import.meta.url.endsWith(".ts")
  ? new URL("../intake-main.ts", import.meta.url)
  : new URL("intake-main.mjs", import.meta.url);

export function startIntakeThread(options: IntakeThreadOptions): Intake {
  let pending: Waiting[] = [];
  /** Webhooks of the one message that the thread works on. The others wait: a message costs about as much as a webhook. */
  let sent: readonly Waiting[] = [];
  // Starting takes a fraction of a second, which the first webhook shouldn't wait for.
  let thread: Worker | null = start();

  function start(): Worker {
    const worker = new Worker(ENTRY, { workerData: options });
    // The server keeps the process running.
    worker.unref();
    worker.on("message", (answers: IntakeAnswers) => {
      const answered = sent;
      sent = [];
      sendPending();
      for (const [index, waiting] of answered.entries()) settle(waiting, answers[index]);
    });
    const lose = (cause: unknown): void => {
      if (thread !== worker) return;
      thread = null;
      const lost = sent;
      sent = [];
      for (const { reject } of lost) reject(lostThread(cause));
      sendPending();
    };
    worker.on("error", lose);
    worker.on("exit", (code) => lose(new Error(`The thread that records webhooks exited with ${code}.`)));
    return worker;
  }

  function sendPending(): void {
    if (sent.length > 0 || pending.length === 0) return;
    sent = pending;
    pending = [];
    thread ??= start();
    post(
      thread,
      sent.map(({ received }) => ({ ...received, bytes: ownBytes(received.bytes) })),
    );
  }

  return {
    record: (received) =>
      new Promise((resolve, reject) => {
        // Webhooks of one turn of the event loop share a message.
        if (pending.push({ received, resolve, reject }) === 1) setImmediate(sendPending);
      }),
    async close() {
      const ending = thread;
      if (ending === null) return;
      ending.ref();
      await new Promise((resolve) => {
        ending.once("exit", resolve);
        post(ending, []);
      });
    },
  };
}

/** Hands the bodies over, because copying them would take more time and twice the memory. */
function post(thread: Worker, message: IntakeMessage): void {
  thread.postMessage(
    message,
    message.map(({ bytes }) => bytes.buffer),
  );
}

/** Other data may share the buffer of a small body, which can't be handed over then. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : Uint8Array.from(bytes);
}

function settle({ resolve, reject }: Waiting, answer: IntakeAnswer | undefined): void {
  if (answer === undefined)
    return reject(new Error("The thread that records webhooks gave too few answers."));
  if (answer.kind === "recorded") return resolve(answer.recorded);
  reject(fromPortable(answer));
}

/** Some of the webhooks may have been written. Recording one again changes nothing. */
function lostThread(cause: unknown): KodiaiError {
  return new KodiaiError("database", `The thread that records webhooks crashed: ${messageOf(cause)}`, {
    hint: "Kodiai starts another one. If it keeps crashing, report it with the server's log.",
    retryable: true,
    cause,
  });
}
