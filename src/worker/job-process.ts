/** Starts a process for one job, and receives the job in that process. Parent and child run the same program. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { getHeapStatistics } from "node:v8";
import { KodiaiError } from "../base/errors.ts";
import type { Claim } from "../queue/queue.ts";
import type { JobProcessMessage, StartJobProcess } from "./run-in-process.ts";
import type { GivenClaim } from "./run-given-claim.ts";

const BYTES_PER_MB = 1_048_576;

/**
 * Several times what a review of 200,000 added lines needs. V8 stops a job that needs more, before the system's
 * out-of-memory killer does, which might kill the server instead.
 */
const MAX_HEAP_MB = 1_024;

/**
 * By default, Node lets young objects take 128 MB before it looks for those that are still needed. A job is as fast with less, and several
 * run at a time.
 */
export const JOB_NODE_OPTIONS = ["--max-semi-space-size=16"] as const;

/** `args` are the arguments that make this program call `receiveClaim`. */
export function jobProcessStarter(args: readonly string[]): StartJobProcess {
  return (claim, onMessage) => {
    const heapMb = Math.min(MAX_HEAP_MB, Math.floor(getHeapStatistics().heap_size_limit / BYTES_PER_MB));
    const child = fork(process.argv[1] ?? "", args, {
      execArgv: [...process.execArgv, ...JOB_NODE_OPTIONS, `--max-old-space-size=${heapMb}`],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // In a separate process group, Ctrl-C only reaches the worker, which then stops the job.
      detached: true,
    });
    // The child runs this program, so its messages have this type.
    child.on("message", (message) => onMessage(message as JobProcessMessage));
    // A failed send needs no handling: `ended` reports that the process has exited.
    child.send(claim, () => {});
    return { pid: child.pid, kill: (signal) => void child.kill(signal), ended: endOf(child) };
  };
}

async function endOf(child: ReturnType<typeof fork>): Promise<string> {
  const failed = once(child, "error").then(([error]) => String(error));
  // The last message may arrive after the exit. The channel disconnects after that.
  const ended = Promise.all([once(child, "exit"), once(child, "disconnect")]).then(([[code, signal]]) =>
    String(signal ?? `exit code ${code}`),
  );
  return Promise.race([failed, ended]);
}

/** Receives the job that the parent worker passes to this process. */
export async function receiveClaim(signal: AbortSignal): Promise<GivenClaim> {
  const gone = new AbortController();
  process.once("disconnect", () => gone.abort());
  if (!process.connected) gone.abort();
  const stop = AbortSignal.any([signal, gone.signal]);
  const [message] = await once(process, "message", { signal: stop }).catch(() => [null]);
  if (message === null) {
    throw new KodiaiError("cancelled", "this process has no parent worker that passes a job", {
      hint: "Run `kodiai worker` without --given-job.",
    });
  }
  return {
    // The parent runs this program, so the message has this type.
    claim: message as Claim,
    stop,
    send: (message: JobProcessMessage) =>
      new Promise((resolve) => {
        if (process.send === undefined) resolve();
        else process.send(message, () => resolve());
      }),
  };
}
