/**
 * Tasks in a separate process. A task that takes too much CPU time or memory ends that process, never the caller: the
 * task's result is the limit it exceeded, and the remaining tasks go to a new process.
 *
 * The process answers tasks one by one in order, so the oldest unanswered task is always the one in progress. A few more
 * are sent ahead so that it never waits for the next one.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable } from "node:stream";
import { KodiaiError } from "../errors.ts";
import { type CpuReader, cpuMsOf } from "./cpu-ms-of.ts";
import { type AnswerMessage, decodeMessage, encodeMessage, type TaskMessage } from "./messages.ts";
import { type ProcessStart, startProcess } from "./start-process.ts";
import type { Reading, TaskRunner, TaskTable } from "./task-runner.ts";

/** Tasks sent ahead. More would only be sent twice when the process is replaced. */
const MAX_SENT = 4;

/**
 * After a timeout, similar tasks are likely and get a fifth of their time: a change full of them must not block a worker.
 * Limits are many times what a normal task takes, so a fifth is still enough for one.
 */
const LESS_AFTER_ONE = 5;

/** A task that waits forever uses no CPU. The longest limits are about a minute, and a very busy machine gives a task a tenth of a CPU. */
const MAX_WALL_MS = 600_000;

/** Looking starts a process on macOS. A task on a busy machine may come close to its limit and stay there for long. */
const MIN_LOOK_MS = 50;

/** A start takes about 100 ms. A busy machine may take many times that. */
const MAX_START_MS = 60_000;

/** The end of the error output of a process that failed to start. */
const MAX_STDERR_CHARS = 2_000;

type Pending = {
  readonly message: TaskMessage;
  readonly maxMs: number;
  readonly onUsed: ((cpuMs: number) => void) | undefined;
  readonly resolve: (reading: Reading<unknown>) => void;
  readonly reject: (error: unknown) => void;
};

type Running = {
  readonly child: ChildProcessWithoutNullStreams;
  isReady: boolean;
  /** The CPU time that it had used when it sent its last message. */
  cpuMs: number;
  /** The number of pending tasks that were sent to it. */
  sent: number;
  timer: NodeJS.Timeout | undefined;
  /** True when it was killed for exceeding its time. */
  isLate: boolean;
  stderr: string;
};

export type TaskProcessOptions = ProcessStart & {
  /** For messages: "reads files". */
  readonly purpose: string;
  /** Limits the time on the clock of one task, whatever CPU time it used. Omitted: ten minutes. */
  readonly maxWallMs?: number;
  /** Null: unknown, so that tasks are limited by the clock. Omitted: as the system tells it. */
  readonly readCpuMs?: CpuReader | null;
};

/** One closure: tasks, answers, timers and the end of the process change the same list of pending tasks. */
export function createTaskProcess<Tasks extends TaskTable>(
  options: TaskProcessOptions,
  signal: AbortSignal,
): TaskRunner<Tasks> {
  const { purpose, maxWallMs = MAX_WALL_MS, readCpuMs = cpuMsOf } = options;
  const pending: Pending[] = [];
  let running: Running | null = null;
  let closedBy: unknown = null;
  let hasBeenLate = false;

  const start = (): Running | null => {
    const child = startProcess(options);
    child.on("error", (error) => refuse(cannotStart(purpose, error.message)));
    // With too many files open, Node returns a child without streams and reports the error later.
    if (!Object.hasOwn(child, "stdio")) return null;
    const started: Running = {
      child,
      isReady: false,
      cpuMs: 0,
      sent: 0,
      timer: undefined,
      isLate: false,
      stderr: "",
    };
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      started.stderr = (started.stderr + text).slice(-MAX_STDERR_CHARS);
    });
    // Only the process writes here, and it sends nothing else.
    onLines(child.stdout, (line) => onMessage(started, decodeMessage(line) as AnswerMessage));
    // An undelivered message isn't an error: the process is exiting, and the task is sent to the next one.
    child.stdin.on("error", () => {});
    // Every answer has been read by now, so the oldest task without one was in progress.
    child.on("close", (code, by) => onExit(started, code, by));
    watch(started);
    return started;
  };

  /** Sends as many tasks as allowed. */
  const pump = (): void => {
    if (closedBy !== null) return;
    running ??= start();
    if (running === null) return;
    for (const { message } of pending.slice(running.sent, MAX_SENT)) {
      running.sent++;
      running.child.stdin.write(encodeMessage(message));
    }
  };

  /** Limits the time of the start, then the CPU time of each task. */
  const watch = (watched: Running): void => {
    clearTimeout(watched.timer);
    const maxMs = watched.isReady ? pending[0]?.maxMs : MAX_START_MS;
    if (maxMs === undefined) return;
    const limitMs = watched.isReady && hasBeenLate ? maxMs / LESS_AFTER_ONE : maxMs;
    const startMs = performance.now();
    const clockMs = watched.isReady ? maxWallMs : MAX_START_MS;
    const end = (): void => {
      watched.isLate = true;
      hasBeenLate ||= watched.isReady;
      watched.child.kill("SIGKILL");
    };
    const look = (): void => {
      const wallMs = performance.now() - startMs;
      // Where CPU time isn't known, the clock has to do.
      const isKnown = watched.isReady && readCpuMs !== null;
      const cpuMs = isKnown ? (readCpuMs(watched.child.pid) ?? watched.cpuMs) : null;
      const usedMs = cpuMs === null ? wallMs : cpuMs - watched.cpuMs;
      if (usedMs >= limitMs || wallMs >= clockMs) return end();
      watched.timer = setTimeout(look, Math.min(Math.max(limitMs - usedMs, MIN_LOOK_MS), clockMs - wallMs));
    };
    watched.timer = setTimeout(look, Math.min(limitMs, clockMs));
  };

  const onMessage = (from: Running, { cpuMs, answer }: AnswerMessage): void => {
    if (from !== running || from.isLate) return;
    const usedMs = cpuMs - from.cpuMs;
    from.cpuMs = cpuMs;
    if (answer.kind === "ready") from.isReady = true;
    else {
      from.sent--;
      const answered = pending.shift();
      answered?.onUsed?.(usedMs);
      answered?.resolve(answer);
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
      return refuse(cannotStart(purpose, said || (by ?? `exit code ${code}`)));
    }
    pending
      .shift()
      ?.resolve(from.isLate ? { kind: "over-limit", limit: "time" } : causeOf(purpose, code, by));
    if (pending.length > 0) pump();
  };

  /** Ends the process. Later tasks start another one. */
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
    ask<Task extends keyof Tasks & string>(
      task: Task,
      takes: Tasks[Task]["takes"],
      maxMs: number,
      onUsed?: (cpuMs: number) => void,
    ) {
      return new Promise<Reading<Tasks[Task]["gives"]>>((resolve, reject) => {
        if (closedBy !== null) return reject(closedBy);
        // The answer has the task's type: the process performs tasks with the same table.
        const given = { message: { task, takes }, maxMs, onUsed, resolve, reject } as unknown as Pending;
        pending.push(given);
        const isFirst = pending.length === 1;
        pump();
        if (isFirst && running?.isReady === true) watch(running);
      });
    },
    close: () => close(new Error(`the process that ${purpose} was closed`)),
  } satisfies TaskRunner<Tasks>;
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

/** V8 and the parsers abort when memory runs out; the system kills a process that uses too much. */
function causeOf(purpose: string, code: number | null, by: NodeJS.Signals | null): Reading<never> {
  if (by === "SIGABRT" || by === "SIGKILL") return { kind: "over-limit", limit: "memory" };
  if (by === "SIGXCPU") return { kind: "over-limit", limit: "time" };
  return { kind: "failed", message: `the process that ${purpose} crashed (${by ?? `exit code ${code}`})` };
}

function cannotStart(purpose: string, why: string): KodiaiError {
  return new KodiaiError("io", `the process that ${purpose} could not be started: ${why}`, {
    hint: "Check the limits on processes and memory of this machine (ulimit -a), and that the installation is complete.",
    retryable: true,
  });
}
