/** The process's side: performs the parent's tasks one after the other, and exits with the parent. */
import { messageOf } from "../errors.ts";
import { yieldToEventLoop } from "../event-loop.ts";
import { type AnswerMessage, decodeMessage, encodeMessage, type TaskMessage } from "./messages.ts";
import type { TaskTable } from "./task-runner.ts";

/** One function per task. */
export type Performers<Tasks extends TaskTable> = {
  readonly [Task in keyof Tasks]: (takes: Tasks[Task]["takes"]) => Promise<Tasks[Task]["gives"]>;
};

const STDIN = 0;
const STDOUT = 1;

/** A few times the buffer of a pipe between two processes. */
const READ_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;

/** A busy parent reads again within milliseconds. */
const FULL_PIPE_MS = 2;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

export async function serveTasks<Tasks extends TaskTable>(performers: Performers<Tasks>): Promise<never> {
  // A terminal or a supervisor signals every process. The parent decides when this one exits.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
  send({ kind: "ready" });
  for (const line of readLines()) {
    // Only the parent writes here, and it sends nothing else.
    await perform(decodeMessage(line) as TaskMessage, performers);
  }
  // The parent closed its end or is gone.
  process.exit();
}

async function perform<Tasks extends TaskTable>(
  { task, takes }: TaskMessage,
  performers: Performers<Tasks>,
): Promise<void> {
  try {
    send({ kind: "read", value: await performers[task]?.(takes) });
  } catch (error) {
    // The memory isn't freed, so the next task would fail. The parent starts another process.
    if (isOutOfMemory(error)) process.abort();
    send({ kind: "failed", message: messageOf(error) });
  }
  // Trees are freed only in the next turn of the event loop.
  await yieldToEventLoop();
}

/** The error that Node throws when the system refuses memory. A full V8 heap ends the process by itself. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /allocat/i.test(error.message);
}

/** Blocks until each line arrives. There is nothing else to do, and Node's streams would have to be loaded. */
function* readLines(): Generator<string> {
  const { readSync } = process.getBuiltinModule("node:fs");
  const buffer = Buffer.alloc(READ_BYTES);
  let pieces: Buffer[] = [];
  for (let bytes = readSync(STDIN, buffer); bytes > 0; bytes = readSync(STDIN, buffer)) {
    let from = 0;
    for (let end = buffer.indexOf(NEWLINE); end !== -1 && end < bytes; end = buffer.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...pieces, buffer.subarray(from, end)]).toString();
      pieces = [];
      from = end + 1;
      yield line;
    }
    pieces.push(Buffer.from(buffer.subarray(from, bytes)));
  }
}

function send(answer: AnswerMessage["answer"]): void {
  const { writeSync } = process.getBuiltinModule("node:fs");
  const { user, system } = process.cpuUsage();
  const bytes = Buffer.from(encodeMessage({ cpuMs: (user + system) / 1_000, answer }));
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(STDOUT, bytes, from);
    } catch (error) {
      // Code that looks at process.stdout makes it non-blocking. Half a message would make all later ones unreadable.
      if (!isFull(error)) throw error;
      Atomics.wait(PAUSE, 0, 0, FULL_PIPE_MS);
    }
  }
}

/** The parent hasn't read what was sent before. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EAGAIN";
