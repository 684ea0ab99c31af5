/**
 * The Reader that works in a process of its own. A task that takes too long or too much memory ends the process, never the caller: the
 * task is answered with the limit it broke, and the tasks behind it go to a new process.
 *
 * The process answers tasks one by one in the order they were sent, so the oldest unanswered task is always the one it is working on.
 * A few more are sent ahead so that it never waits for the next one.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable } from "node:stream";
import { KodiaiError } from "../../base/errors.ts";
import type { Reader, Reading, ReaderTask, ReaderTasks } from "../reader.ts";
import { type AnswerMessage, decodeMessage, encodeMessage, type TaskMessage } from "./messages.ts";
import { startProcess } from "./start-process.ts";

/** Sent ahead. More would only be copied twice when the process has to be replaced. */
const MAX_SENT = 4;

/** Once a task was over its time, others like it are likely, and get a fifth of theirs: a change full of them must not hold a worker. */
const LESS_AFTER_ONE = 5;

/** A start takes about 100 ms. A busy machine may take many times that. */
const MAX_START_MS = 60_000;

/** The end of what a process that failed to start wrote. */
const MAX_STDERR_CHARS = 2_000;

type Pending = {
  readonly message: TaskMessage;
  readonly maxMs: number;
  readonly resolve: (reading: Reading<ReaderTasks[ReaderTask]["gives"]>) => void;
  readonly reject: (error: unknown) => void;
};

type Running = {
  readonly child: ChildProcessWithoutNullStreams;
  isReady: boolean;
  /** How many of the pending tasks it was sent. */
  sent: number;
  timer: NodeJS.Timeout | undefined;
  /** Set when we ended it. */
  isLate: boolean;
  stderr: string;
};

export function createReaderProcess(entry: URL, signal: AbortSignal): Reader {
  const pending: Pending[] = [];
  let running: Running | null = null;
  let closedBy: unknown = null;
  let hasBeenLate = false;

  const start = (): Running | null => {
    const child = startProcess(entry);
    child.on("error", (error) => refuse(cannotStart(error.message)));
    // With too many files open, Node returns a child without streams and reports the error later.
    if (!Object.hasOwn(child, "stdio")) return null;
    const started: Running = { child, isReady: false, sent: 0, timer: undefined, isLate: false, stderr: "" };
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      started.stderr = (started.stderr + text).slice(-MAX_STDERR_CHARS);
    });
    // Only the process can answer, and it answers nothing else.
    onLines(child.stdout, (line) => onMessage(started, decodeMessage(line) as AnswerMessage));
    // A message that can't be delivered is no error of its own: the process is exiting, and the task is sent to the next one.
    child.stdin.on("error", () => {});
    // By then every answer has been read: the oldest task without one is the one that it was working on.
    child.on("close", (code, by) => onExit(started, code, by));
    watch(started);
    return started;
  };

  /** Sends what there is room for. */
  const pump = (): void => {
    if (closedBy !== null) return;
    running ??= start();
    if (running === null) return;
    for (const { message } of pending.slice(running.sent, MAX_SENT)) {
      running.sent++;
      running.child.stdin.write(encodeMessage(message));
    }
  };

  /** Gives the process time to start, then each task its own. */
  const watch = (watched: Running): void => {
    clearTimeout(watched.timer);
    const maxMs = watched.isReady ? pending[0]?.maxMs : MAX_START_MS;
    if (maxMs === undefined) return;
    const isShort = watched.isReady && hasBeenLate;
    watched.timer = setTimeout(
      () => {
        watched.isLate = true;
        hasBeenLate ||= watched.isReady;
        watched.child.kill("SIGKILL");
      },
      isShort ? maxMs / LESS_AFTER_ONE : maxMs,
    );
  };

  const onMessage = (from: Running, message: AnswerMessage): void => {
    if (from !== running || from.isLate) return;
    if (message.kind === "ready") from.isReady = true;
    else {
      from.sent--;
      pending.shift()?.resolve(message);
      pump();
    }
    watch(from);
  };

  const onExit = (from: Running, code: number | null, by: NodeJS.Signals | null): void => {
    clearTimeout(from.timer);
    if (from !== running) return;
    running = null;
    if (closedBy !== null) return;
    if (!from.isReady) {
      const said = from.stderr.trim().split("\n").at(-1) ?? "";
      return refuse(cannotStart(said || (by ?? `exit code ${code}`)));
    }
    pending.shift()?.resolve(from.isLate ? { kind: "over-limit", limit: "time" } : causeOf(code, by));
    if (pending.length > 0) pump();
  };

  /** Ends the process. Tasks that come later get another one. */
  const refuse = (error: unknown): void => {
    if (running !== null) {
      clearTimeout(running.timer);
      running.child.kill("SIGKILL");
      running = null;
    }
    for (const { reject } of pending.splice(0)) reject(error);
  };

  const close = (error: unknown): void => {
    closedBy ??= error;
    signal.removeEventListener("abort", onAbort);
    refuse(error);
  };

  const onAbort = (): void => close(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();

  return {
    warm() {
      pump();
    },
    ask<Task extends ReaderTask>(task: Task, takes: ReaderTasks[Task]["takes"], maxMs: number) {
      return new Promise<Reading<ReaderTasks[Task]["gives"]>>((resolve, reject) => {
        if (closedBy !== null) return reject(closedBy);
        // The answer to a task is of its kind: the process performs tasks with the same table.
        const given = { message: { task, takes }, maxMs, resolve, reject } as unknown as Pending;
        pending.push(given);
        const isFirst = pending.length === 1;
        pump();
        if (isFirst && running?.isReady === true) watch(running);
      });
    },
    close: () => close(new Error("the reader was closed")),
  } satisfies Reader;
}

function onLines(stream: Readable, take: (line: string) => void): void {
  let pieces: string[] = [];
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    const [first = "", ...lines] = chunk.split("\n");
    pieces.push(first);
    for (const line of lines) {
      take(pieces.join(""));
      pieces = [line];
    }
  });
}

/** V8 and the parsers abort when memory runs out; the system kills a process that takes what others need. */
function causeOf(code: number | null, by: NodeJS.Signals | null): Reading<never> {
  if (by === "SIGABRT" || by === "SIGKILL") return { kind: "over-limit", limit: "memory" };
  if (by === "SIGXCPU") return { kind: "over-limit", limit: "time" };
  return { kind: "failed", message: `the process that reads files crashed (${by ?? `exit code ${code}`})` };
}

function cannotStart(why: string): KodiaiError {
  return new KodiaiError("io", `the process that reads files could not be started: ${why}`, {
    hint: "Check the limits on processes and memory of this machine (ulimit -a), and that the installation is complete.",
    retryable: true,
  });
}
