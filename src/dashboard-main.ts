/** The entry of the thread that serves the dashboard. It answers each message, and keeps the texts of downloads until they are asked for. */
import { readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { KodiaiError } from "./base/errors.ts";
import { useProxies } from "./base/outbound/proxy.ts";
import { readProxySettings } from "./config/proxy-settings.ts";
import { openDashboard } from "./compose/dashboard.ts";
import type { DashboardAnswer } from "./dashboard/exchange.ts";
import type { DashboardThreadOptions, FromThread, ToThread } from "./dashboard/serving/dashboard-thread.ts";
import type { CheckLine } from "./doctor/check.ts";

const examinations = new Map<number, (lines: readonly CheckLine[] | null) => void>();
const downloads = new Map<number, AsyncIterator<string>>();
let lastExamination = 0;

// Only dashboard-thread.ts starts this thread and sends messages.
const options = workerData as DashboardThreadOptions;
useProxies(() =>
  readProxySettings({ environment: options.proxyVariables, dotEnv: null, readText: readTextIfAny }),
);

// Webhooks come first when there is more work than processors. Only Linux gives a thread a priority of its own.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// Messages wait until the port has a listener, which it gets after the store is open.
const { dashboard, close } = await openDashboard(options, examine);

parentPort?.on("message", (message: ToThread) => void receive(message));

async function receive(message: ToThread): Promise<void> {
  switch (message.kind) {
    case "request":
      return send(await answer(message));
    case "next":
      return send(await nextText(message.id));
    case "stop":
      await downloads.get(message.id)?.return?.();
      downloads.delete(message.id);
      return;
    case "examined":
      examinations.get(message.id)?.(message.lines);
      examinations.delete(message.id);
      return;
    case "close":
      await close();
      parentPort?.close();
  }
}

async function answer({ id, request }: Extract<ToThread, { kind: "request" }>): Promise<FromThread> {
  const answered = await dashboard(request);
  if (answered === null) return { kind: "answer", id, answer: null };
  return { kind: "answer", id, answer: { ...answered, body: keepTexts(id, answered) } };
}

function keepTexts(id: number, { body }: DashboardAnswer): string | Uint8Array | null {
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  downloads.set(id, body[Symbol.asyncIterator]());
  return null;
}

async function nextText(id: number): Promise<FromThread> {
  try {
    const next = await downloads.get(id)?.next();
    const isOver = next === undefined || next.done === true;
    if (isOver) downloads.delete(id);
    return { kind: "text", id, text: isOver ? null : next.value, isFailed: next === undefined };
  } catch {
    // The dashboard has recorded why.
    downloads.delete(id);
    return { kind: "text", id, text: null, isFailed: true };
  }
}

async function examine(): Promise<readonly CheckLine[]> {
  const id = ++lastExamination;
  const { promise, resolve } = Promise.withResolvers<readonly CheckLine[] | null>();
  examinations.set(id, resolve);
  send({ kind: "examine", id });
  const lines = await promise;
  if (lines === null)
    throw new KodiaiError("io", "the checks failed", { hint: "Run `kodiai doctor` on the server." });
  return lines;
}

function send(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(message);
}

function readTextIfAny(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
