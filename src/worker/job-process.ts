/** A process that runs one job: how a worker starts it, and how it hears from its worker. Both are this program. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { getHeapStatistics } from "node:v8";
import { KodiaiError } from "../base/errors.ts";
import type { Claim } from "../queue/queue.ts";
import type { JobProcessMessage, StartJobProcess } from "./run-in-process.ts";
import type { GivenClaim } from "./run-given-claim.ts";

const BYTES_PER_MB = 1_048_576;

/**
 * Several times what a review of 200,000 added lines takes. A job that wants more is ended by V8 rather than by the machine's
 * out-of-memory killer, which may choose the server instead.
 */
const MAX_HEAP_MB = 1_024;

/** `args`: the command line that makes this program call `receiveClaim`. */
export function jobProcessStarter(args: readonly string[]): StartJobProcess {
  return (claim, onMessage) => {
    const heapMb = Math.min(MAX_HEAP_MB, Math.floor(getHeapStatistics().heap_size_limit / BYTES_PER_MB));
    const child = fork(process.argv[1] ?? "", args, {
      execArgv: [...process.execArgv, `--max-old-space-size=${heapMb}`],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // A group of its own: Ctrl-C reaches the worker, which says when the job is to stop.
      detached: true,
    });
    // It is this program; nobody else writes to the channel.
    child.on("message", (message) => onMessage(message as JobProcessMessage));
    // A process that is gone says so with its end.
    child.send(claim, () => {});
    return { pid: child.pid, kill: (signal) => void child.kill(signal), ended: endOf(child) };
  };
}

async function endOf(child: ReturnType<typeof fork>): Promise<string> {
  const failed = once(child, "error").then(([error]) => String(error));
  // What it said last may be read after its end; the channel closes after that.
  const ended = Promise.all([once(child, "exit"), once(child, "disconnect")]).then(([[code, signal]]) =>
    String(signal ?? `exit code ${code}`),
  );
  return Promise.race([failed, ended]);
}

/** The job that the worker which started this process wants to be run here. */
export async function receiveClaim(signal: AbortSignal): Promise<GivenClaim> {
  const gone = new AbortController();
  process.once("disconnect", () => gone.abort());
  if (!process.connected) gone.abort();
  const stop = AbortSignal.any([signal, gone.signal]);
  const [message] = await once(process, "message", { signal: stop }).catch(() => [null]);
  if (message === null) {
    throw new KodiaiError("cancelled", "there is no worker that passes a job on", {
      hint: "Workers start this themselves. Start `kodiai worker` without it.",
    });
  }
  return {
    // It is this program that sends it.
    claim: message as Claim,
    stop,
    tell: (said: JobProcessMessage) =>
      new Promise((resolve) => {
        if (process.send === undefined) resolve();
        else process.send(said, () => resolve());
      }),
  };
}
