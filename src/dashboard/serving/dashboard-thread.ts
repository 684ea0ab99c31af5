/**
 * Runs the dashboard in a thread with connections of its own, so that no page keeps the server from answering webhooks. The thread starts
 * with the first request. One that crashes, or whose pages take too long, is replaced.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Worker } from "node:worker_threads";
import { messageOf } from "../../base/errors.ts";
import type { Log, LogLevel } from "../../base/log.ts";
import type { CheckLine } from "../../doctor/check.ts";
import type { LinkKey } from "../access/local-link.ts";
import type { DashboardAnswer, DashboardRequest } from "../exchange.ts";
import { BAD_REQUEST, BUSY, readDashboardRequest, sendDashboardAnswer } from "./http-exchange.ts";

export type DashboardThreadOptions = {
  readonly databaseUrl: string;
  readonly origin: string;
  readonly admins: readonly string[];
  readonly apiUrl: string;
  readonly oauth: { readonly clientId: string; readonly clientSecret: string } | null;
  /** Null for a thread that replaces another one: the first may have used it up. */
  readonly link: LinkKey | null;
  /** The variables that name the operator's proxy. A thread has none of the main thread's settings. */
  readonly proxyVariables: Readonly<Record<string, string>>;
  readonly version: string;
  readonly logLevel: LogLevel;
  readonly logFormat: "json" | "text";
};

export type ToThread =
  | { readonly kind: "request"; readonly id: number; readonly request: DashboardRequest }
  /** The next text of a download or a stream. */
  | { readonly kind: "next"; readonly id: number }
  /** The rest of a download isn't wanted. */
  | { readonly kind: "stop"; readonly id: number }
  | { readonly kind: "examined"; readonly id: number; readonly lines: readonly CheckLine[] | null }
  | { readonly kind: "close" };

export type FromThread =
  /** The body of a download is null; its texts are asked for. */
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly answer: (Omit<DashboardAnswer, "body"> & { readonly body: string | Uint8Array | null }) | null;
    }
  /** Null after the last one, or if there won't be a last one. */
  | {
      readonly kind: "text";
      readonly id: number;
      readonly text: string | null;
      readonly isFailed: boolean;
    }
  /** The checks of `kodiai doctor`, which start programs and belong to the main thread. */
  | { readonly kind: "examine"; readonly id: number };

export type DashboardThread = {
  /** False if the path is none of the dashboard's; nothing was sent then. Never rejects. */
  handle(incoming: IncomingMessage, response: ServerResponse): Promise<boolean>;
  close(): Promise<void>;
};

/** The bundle has all its files in one folder. */
const ENTRY = import.meta.url.endsWith(".ts")
  ? new URL("../../dashboard-main.ts", import.meta.url)
  : new URL("dashboard-main.mjs", import.meta.url);

/** Twice as many as fifty people who reload at the same moment. More wait no use: each answer has to be made anyway. */
const MAX_IN_FLIGHT = 100;

/** GitHub may take ten seconds twice. A page takes a fraction of a second. */
const MAX_ANSWER_MS = 30_000;

type Waiting = (message: Extract<FromThread, { kind: "answer" | "text" }> | null) => void;

export function createDashboardThread(
  options: DashboardThreadOptions,
  { examine, log }: { readonly examine: () => Promise<readonly CheckLine[]>; readonly log: Log },
): DashboardThread {
  let thread: Worker | null = null;
  let isFirst = true;
  let lastId = 0;
  let inFlight = 0;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const workerData = isFirst ? options : { ...options, link: null };
    isFirst = false;
    const worker = new Worker(ENTRY, { workerData });
    // The server keeps the process running.
    worker.unref();
    worker.on("message", (message: FromThread) => {
      if (message.kind === "examine") return void answerExamination(message.id, worker);
      const resolve = waiting.get(message.id);
      waiting.delete(message.id);
      resolve?.(message);
    });
    const lose = (cause: unknown): void => {
      if (thread !== worker) return;
      thread = null;
      log.error("the dashboard's thread ended; the next request starts another one", {
        reason: messageOf(cause),
      });
      giveUpWaiting();
    };
    worker.on("error", lose);
    worker.on("exit", (code) => lose(new Error(`exit code ${code}`)));
    return worker;
  }

  function giveUpWaiting(): void {
    const lost = [...waiting.values()];
    waiting.clear();
    for (const resolve of lost) resolve(null);
  }

  async function answerExamination(id: number, worker: Worker): Promise<void> {
    const lines = await examine().catch(() => null);
    post(worker, { kind: "examined", id, lines });
  }

  /** Null if the thread was lost, or took too long and was ended. */
  async function ask(message: Extract<ToThread, { readonly id: number }>): ReturnType<typeof wait> {
    const asked = (thread ??= start());
    const answered = wait(message.id, asked);
    post(asked, message);
    return answered;
  }

  async function wait(id: number, asked: Worker): Promise<Parameters<Waiting>[0]> {
    const { promise, resolve } = Promise.withResolvers<Parameters<Waiting>[0]>();
    waiting.set(id, resolve);
    const timer = setTimeout(() => {
      log.error("a page of the dashboard took too long", { seconds: MAX_ANSWER_MS / 1_000 });
      void asked.terminate();
      waiting.delete(id);
      resolve(null);
    }, MAX_ANSWER_MS);
    return promise.finally(() => clearTimeout(timer));
  }

  async function* textsOf(id: number): AsyncGenerator<string> {
    let isOver = false;
    try {
      for (;;) {
        const message = await ask({ kind: "next", id });
        isOver = message?.kind !== "text" || message.text === null || message.isFailed;
        if (message?.kind !== "text" || message.isFailed) throw new Error("the download stopped");
        if (message.text === null) return;
        yield message.text;
      }
    } finally {
      if (!isOver && thread !== null) post(thread, { kind: "stop", id });
    }
  }

  async function answerOf(incoming: IncomingMessage): Promise<DashboardAnswer | null> {
    if (inFlight >= MAX_IN_FLIGHT) return BUSY;
    const request = await readDashboardRequest(incoming);
    if (request === null) return BAD_REQUEST;
    const id = ++lastId;
    inFlight++;
    const message = await ask({ kind: "request", id, request }).finally(() => inFlight--);
    if (message?.kind !== "answer") return BUSY;
    const { answer } = message;
    if (answer === null) return null;
    return { ...answer, body: answer.body ?? textsOf(id) };
  }

  return {
    async handle(incoming, response) {
      try {
        const answer = await answerOf(incoming);
        if (answer === null) return false;
        await sendDashboardAnswer(incoming, response, answer);
      } catch (error) {
        // The client went away before its form was complete.
        log.debug("dashboard request ended early", { reason: messageOf(error) });
        response.destroy();
      }
      return true;
    },
    async close() {
      const ending = thread;
      if (ending === null) return;
      thread = null;
      ending.ref();
      await new Promise((resolve) => {
        ending.once("exit", resolve);
        post(ending, { kind: "close" });
      });
      // A stream waits for its next text.
      giveUpWaiting();
    },
  };
}

function post(thread: Worker, message: ToThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  thread.postMessage(message);
}
