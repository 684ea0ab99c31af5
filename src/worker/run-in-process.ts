/**
 * Runs a suspect in a process of its own and watches over it: a crash there takes nothing else down, and is charged to the
 * job at once. That process holds the lease; this one renews it only until the other is up.
 */
import { KodiaiError, messageOf } from "../base/errors.ts";
import type { JobReport, Recipe } from "../jobs/recipe.ts";
import type { Claim } from "../queue/queue.ts";
import { createPersistentQueue } from "./persistent-queue.ts";
import { type ClaimDeps, HEARTBEATS_PER_LEASE, type JobEnd, release, runClaim } from "./run-claim.ts";

/** What a job's own process says to its worker: again and again that it is not stuck, and last what became of the job. */
export type JobProcessMessage = { readonly kind: "alive" } | ({ readonly kind: "left" } & ReportedEnd);

type ReportedEnd = JobEnd & Pick<JobReport, "hasStatistics">;

export type JobProcess = {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  kill(signal: "SIGTERM" | "SIGKILL"): void;
  /** How it ended, for people: a signal, an exit code, or why it could not start. Comes after its last message. */
  readonly ended: Promise<string>;
};

export type StartJobProcess = (claim: Claim, onMessage: (message: JobProcessMessage) => void) => JobProcess;

/** A start takes well under a second; a machine that needs longer than this is in trouble itself. */
const UP_WITHIN_MS = 60_000;

/**
 * A process whose event loop stands still for so long won't come back. It is shorter than a lease, so that the job is charged
 * before its lease expires.
 */
const SILENT_FOR_MS = 45_000;

export type RunInProcessDeps = ClaimDeps & { readonly startJobProcess: StartJobProcess };

export async function runInProcess(claim: Claim, deps: RunInProcessDeps): Promise<void> {
  const { job } = claim;
  const log = deps.log.with({ job: job.id, kind: job.kind, attempt: job.attempts });
  const queue = createPersistentQueue(deps.queue, { ...deps.queueOptions, abandon: deps.abandon, log });
  const startedAt = deps.now();
  const supervised = await supervise(claim, { ...deps, log });
  if (supervised.left === null && !supervised.isUp && !deps.giveBack.aborted) {
    return runClaim(claim, { ...deps, recipes: { [job.kind]: notStarted(supervised.ended, claim, deps) } });
  }
  const left = supervised.left ?? (await settle(claim, supervised.ended, { ...deps, queue, log }));
  deps.onReport({ hasStatistics: true, job, ...left, ms: deps.now() - startedAt });
}

type Supervised = { readonly isUp: boolean; readonly left: ReportedEnd | null; readonly ended: string };

async function supervise(claim: Claim, deps: RunInProcessDeps): Promise<Supervised> {
  const { queue, log, giveBack, abandon, queueOptions } = deps;
  let isUp = false;
  let left: ReportedEnd | null = null;
  const own = deps.startJobProcess(claim, (message) => {
    isUp = true;
    if (message.kind === "left") {
      const { state, reason, hasStatistics } = message;
      left = { state, reason, hasStatistics };
    }
    clearTimeout(silence);
    silence = setTimeout(kill, SILENT_FOR_MS);
  });
  log.info("a suspect runs in a process of its own", { pid: own.pid });
  const kill = (): void => own.kill("SIGKILL");
  const stop = (): void => own.kill("SIGTERM");
  let silence = setTimeout(kill, UP_WITHIN_MS);
  const beats = setInterval(() => {
    if (isUp) return;
    queue
      .heartbeat(claim, "starting a process of its own")
      .catch((error: unknown) => log.warn("heartbeat failed", { error: messageOf(error) }));
  }, queueOptions.leaseMs / HEARTBEATS_PER_LEASE);
  giveBack.addEventListener("abort", stop, { once: true });
  abandon.addEventListener("abort", kill, { once: true });
  if (giveBack.aborted) stop();
  if (abandon.aborted) kill();
  const ended = await own.ended;
  clearTimeout(silence);
  clearInterval(beats);
  giveBack.removeEventListener("abort", stop);
  abandon.removeEventListener("abort", kill);
  return { isUp, left, ended };
}

async function settle(claim: Claim, how: string, deps: ClaimDeps): Promise<JobEnd> {
  // It was told to stop, and did so without a word.
  if (deps.giveBack.aborted) return release(claim, deps);
  deps.log.error("a job crashed its process", { how, deaths: claim.job.deaths + 1 });
  const isOurs = await deps.queue.crash(claim);
  return { state: isOurs ? "crashed" : "lost", reason: `crashed:${how}` };
}

/** Not the job's doing: retried, and given up, like everything else that may pass. */
function notStarted(how: string, { job }: Claim, { recipes }: ClaimDeps): Recipe {
  const error = new KodiaiError("io", `a process for the job could not be started (${how})`, {
    hint: "See the worker's log, and whether the machine has memory and processes left.",
    retryable: true,
  });
  return {
    run: () => Promise.reject(error),
    giveUp: async (given, why) => recipes[job.kind]?.giveUp(given, why),
  };
}
