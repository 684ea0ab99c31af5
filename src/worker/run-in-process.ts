/**
 * Runs a suspect job in a child process and supervises it. A crash there affects nothing else and is charged to the job at
 * once. The child holds the lease; this process only renews it until the child is up.
 */
import { KodiaiError, messageOf } from "../base/errors.ts";
import type { JobReport, Recipe } from "../jobs/recipe.ts";
import type { Claim } from "../queue/queue.ts";
import { createPersistentQueue } from "./persistent-queue.ts";
import { type ClaimDeps, HEARTBEATS_PER_LEASE, type JobEnd, release, runClaim } from "./run-claim.ts";

/** Messages from the child: regularly that it's alive, and at the end the result of the job. */
export type JobProcessMessage = { readonly kind: "alive" } | ({ readonly kind: "finished" } & ReportedEnd);

type ReportedEnd = JobEnd & Pick<JobReport, "keepDays" | "modelUses">;

export type JobProcess = {
  /** Undefined if the process couldn't be started. */
  readonly pid: number | undefined;
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  /** How the process ended: a signal, an exit code, or why it couldn't start. Resolves after its last message. */
  readonly ended: Promise<string>;
};

export type StartJobProcess = (claim: Claim, onMessage: (message: JobProcessMessage) => void) => JobProcess;

/** A start takes well under a second. A machine that needs longer than this has a problem itself. */
const START_TIMEOUT_MS = 60_000;

/**
 * A process whose event loop is blocked for this long won't recover. It's shorter than a lease, so that the job is charged
 * with the crash before its lease expires.
 */
const ALIVE_TIMEOUT_MS = 45_000;

export type RunInProcessDeps = ClaimDeps & { readonly startJobProcess: StartJobProcess };

export async function runInProcess(claim: Claim, deps: RunInProcessDeps): Promise<void> {
  const { job } = claim;
  const log = deps.log.with({ job: job.id, kind: job.kind, attempt: job.attempts });
  const queue = createPersistentQueue(deps.queue, { ...deps.queueOptions, hardStop: deps.hardStop, log });
  const startedAt = deps.now();
  const supervised = await supervise(claim, { ...deps, log });
  if (supervised.result === null && !supervised.isUp && !deps.releaseRequested.aborted) {
    return runClaim(claim, { ...deps, recipes: { [job.kind]: notStarted(supervised.ended, claim, deps) } });
  }
  const result = supervised.result ?? (await settle(claim, supervised.ended, { ...deps, queue, log }));
  deps.onReport({
    keepDays: null,
    modelUses: [],
    job,
    ...result,
    ms: deps.now() - startedAt,
  });
}

type Supervised = { readonly isUp: boolean; readonly result: ReportedEnd | null; readonly ended: string };

async function supervise(claim: Claim, deps: RunInProcessDeps): Promise<Supervised> {
  const { queue, log, releaseRequested, hardStop, queueOptions } = deps;
  let isUp = false;
  let result: ReportedEnd | null = null;
  const child = deps.startJobProcess(claim, (message) => {
    isUp = true;
    if (message.kind === "finished") {
      const { state, reason, keepDays, modelUses } = message;
      result = { state, reason, keepDays, modelUses };
    }
    clearTimeout(aliveTimer);
    aliveTimer = setTimeout(kill, ALIVE_TIMEOUT_MS);
  });
  log.info("running a suspect job in a separate process", { pid: child.pid });
  const kill = (): void => child.kill("SIGKILL");
  const stop = (): void => child.kill("SIGTERM");
  let aliveTimer = setTimeout(kill, START_TIMEOUT_MS);
  const beats = setInterval(() => {
    if (isUp) return;
    queue
      .heartbeat(claim, "starting a separate process")
      .catch((error: unknown) => log.warn("heartbeat failed", { error: messageOf(error) }));
  }, queueOptions.leaseMs / HEARTBEATS_PER_LEASE);
  releaseRequested.addEventListener("abort", stop, { once: true });
  hardStop.addEventListener("abort", kill, { once: true });
  if (releaseRequested.aborted) stop();
  if (hardStop.aborted) kill();
  const ended = await child.ended;
  clearTimeout(aliveTimer);
  clearInterval(beats);
  releaseRequested.removeEventListener("abort", stop);
  hardStop.removeEventListener("abort", kill);
  return { isUp, result, ended };
}

async function settle(claim: Claim, how: string, deps: ClaimDeps): Promise<JobEnd> {
  // The child was stopped and exited without a message.
  if (deps.releaseRequested.aborted) return release(claim, deps);
  deps.log.error("a job crashed its process", { how, deaths: claim.job.deaths + 1 });
  const isOurs = await deps.queue.crash(claim);
  return { state: isOurs ? "crashed" : "lost", reason: `crashed:${how}` };
}

/** A failed start isn't the job's fault, so it's retried like any other temporary failure. */
function notStarted(how: string, { job }: Claim, { recipes }: ClaimDeps): Recipe {
  const error = new KodiaiError("io", `could not start a process for the job (${how})`, {
    hint: "Check the worker's log, and the machine's free memory and process limit.",
    retryable: true,
  });
  return {
    run: () => Promise.reject(error),
    giveUp: async (given, why) => recipes[job.kind]?.giveUp(given, why),
  };
}
