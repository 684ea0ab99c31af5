/**
 * Runs one claimed job and records its result. The job's signal is aborted when the lease is lost, a newer job supersedes
 * this one, a user cancels it, or the process shuts down. From then on, the outcome of the recipe doesn't count.
 */
import { count } from "../base/count.ts";
import { KodiaiError, messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { maskCredentials } from "../base/secrets/mask-credentials.ts";
import {
  type GivingUp,
  type JobContext,
  type JobOutcome,
  type JobReport,
  type ModelUse,
  type Recipe,
} from "../jobs/recipe.ts";
import type { Claim, Completion, LeaseState, Queue, QueueOptions } from "../queue/queue.ts";
import { createPersistentQueue } from "./persistent-queue.ts";

/** A worker can miss several heartbeats and still hold its job: one every 10 s for a lease of 60 s. */
export const HEARTBEATS_PER_LEASE = 6;

/** Notifying people is worth some seconds, but must not block the worker. */
const GIVE_UP_WITHIN_MS = 30_000;

/** How often a job looks whether the disk has room again. A look costs a request to the host, and people take longer to make room. */
const FULL_DISK_WAIT_MS = 5 * 60 * 1_000;

/** Reasons are shown in lists. The log has the full text. */
const MAX_REASON_CHARS = 300;

/** Dependencies for running one job. */
export type JobRunDeps = {
  readonly queue: Queue;
  readonly recipes: Readonly<Record<string, Recipe>>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The queue's lease time, and the number of attempts after which a job is given up. */
  readonly queueOptions: Pick<QueueOptions, "leaseMs" | "maxAttempts">;
  /** Called after every run of a job. Never throws. */
  readonly onReport: (report: JobReport) => void;
};

export type ClaimDeps = JobRunDeps & {
  /** Aborted at the end of the grace period: running jobs go back to the queue. */
  readonly releaseRequested: AbortSignal;
  /** Aborted when the process is about to exit: work that hasn't stopped is no longer waited for. */
  readonly hardStop: AbortSignal;
};

export async function runClaim(claim: Claim, deps: ClaimDeps): Promise<void> {
  const { job } = claim;
  const { now, log: parent } = deps;
  const log = parent.with({ job: job.id, kind: job.kind, attempt: job.attempts });
  const startedAt = now();
  const queue = createPersistentQueue(deps.queue, { ...deps.queueOptions, hardStop: deps.hardStop, log });
  let keepDays: number | null = null;
  const modelUses: ModelUse[] = [];
  const { state, reason } = await workOn(claim, {
    ...deps,
    queue,
    log,
    keepStatistics: (days) => void (keepDays = days),
    countModelUse: (uses) => void modelUses.push(...uses),
  });
  const ms = now() - startedAt;
  log.info("job finished", { state, reason, ms });
  deps.onReport({ job, state, reason, ms, keepDays, modelUses });
}

const LOST = { state: "lost", reason: "lease-lost" };

export type JobEnd = { readonly state: string; readonly reason: string };

type WorkDeps = ClaimDeps & Pick<JobContext, "keepStatistics" | "countModelUse">;

async function workOn(claim: Claim, deps: WorkDeps): Promise<JobEnd> {
  const recipe = deps.recipes[claim.job.kind];
  if (recipe === undefined) return end(claim, { state: "failed", reason: "failed:unknown-kind" }, deps);
  if (claim.isPoisoned) {
    const message = `The review crashed its process ${count(claim.job.deaths, "time")}. It won't be retried.`;
    return giveUp(claim, { kind: "failed", reason: "failed:poison", message }, { ...deps, recipe });
  }
  const lease = watchLease(claim, deps);
  try {
    const outcome = await untilHardStop(recipe.run(contextOf(claim, lease, deps)), deps.hardStop);
    return await settle(claim, outcome, { ...deps, recipe, lease });
  } catch (error) {
    return await settleFailure(claim, error, { ...deps, recipe, lease });
  } finally {
    lease.stop();
  }
}

type LeaseWatch = {
  readonly signal: AbortSignal;
  /** The reason for the abort; null before it. */
  ended(): Exclude<LeaseState, "held"> | "stopping" | null;
  beat(step: string): Promise<LeaseState>;
  lastStep(): string;
  stop(): void;
};

function watchLease(claim: Claim, { queue, log, releaseRequested, queueOptions }: ClaimDeps): LeaseWatch {
  const controller = new AbortController();
  let step = "starting";
  let ended: ReturnType<LeaseWatch["ended"]> = null;
  const end = (why: NonNullable<typeof ended>): void => {
    ended ??= why;
    controller.abort();
  };
  const beat = async (name: string): Promise<LeaseState> => {
    step = name;
    const state = await queue.heartbeat(claim, step);
    if (state !== "held") end(state);
    return state;
  };
  // A failed heartbeat doesn't end the lease. The next one may succeed in time.
  const timer = setInterval(() => {
    beat(step).catch((error: unknown) => log.warn("heartbeat failed", { error: maskedMessage(error) }));
  }, queueOptions.leaseMs / HEARTBEATS_PER_LEASE);
  const onStop = (): void => end("stopping");
  releaseRequested.addEventListener("abort", onStop, { once: true });
  if (releaseRequested.aborted) onStop();
  return {
    signal: controller.signal,
    ended: () => ended,
    beat,
    lastStep: () => step,
    stop() {
      clearInterval(timer);
      releaseRequested.removeEventListener("abort", onStop);
    },
  };
}

function contextOf(
  { job }: Claim,
  lease: LeaseWatch,
  { log, now, keepStatistics, countModelUse }: WorkDeps,
): JobContext {
  let since = now();
  return {
    job,
    signal: lease.signal,
    log,
    async step(name) {
      if (name === lease.lastStep()) return;
      log.debug("step ended", { step: lease.lastStep(), ms: now() - since });
      since = now();
      await lease.beat(name);
      lease.signal.throwIfAborted();
    },
    lease: () => lease.beat(lease.lastStep()),
    keepStatistics,
    countModelUse,
  };
}

type GiveUpDeps = ClaimDeps & { readonly recipe: Recipe };

type SettleDeps = GiveUpDeps & { readonly lease: LeaseWatch };

async function settle(claim: Claim, outcome: JobOutcome, deps: SettleDeps): Promise<JobEnd> {
  if (outcome.state === "lost") return LOST;
  if (outcome.state === "wait") {
    const why = await whyEnded(deps.lease);
    if (why === "superseded" || why === "cancelled") return stopUnwanted(claim, why, deps, why);
    const isParked = await deps.queue.park(claim, outcome.untilMs, outcome.reason);
    return { state: isParked ? "parked" : "lost", reason: outcome.reason };
  }
  if (outcome.state === "done" || outcome.state === "skipped") return end(claim, outcome, deps);
  return stopUnwanted(claim, outcome.state, deps, outcome.reason);
}

/**
 * Sends one more heartbeat before a job goes back to the queue. If the job was superseded or cancelled since the last
 * heartbeat, it would otherwise stop in the queue without a notice on the pull request.
 */
async function whyEnded(lease: LeaseWatch): Promise<ReturnType<LeaseWatch["ended"]>> {
  const known = lease.ended();
  if (known !== null && known !== "stopping") return known;
  try {
    const state = await lease.beat(lease.lastStep());
    return state === "held" ? known : state;
  } catch {
    // The queue is unavailable. The call that puts the job back reports the error.
    return known;
  }
}

async function settleFailure(claim: Claim, error: unknown, deps: SettleDeps): Promise<JobEnd> {
  const { queue, lease, log } = deps;
  const why = await whyEnded(lease);
  if (why === "lost") return LOST;
  if (why === "superseded" || why === "cancelled") return stopUnwanted(claim, why, deps, why);
  if (why === "stopping") return release(claim, deps);
  const reason = reasonOf(error);
  const hint = error instanceof KodiaiError ? error.hint : undefined;
  log.warn("job failed", { reason, hint, step: lease.lastStep(), stack: stackOf(error) });
  if (!(error instanceof KodiaiError)) {
    return giveUp(claim, { kind: "failed", reason, message: "Kodiai hit an internal error." }, deps);
  }
  if (error.code === "suspended")
    return end(claim, { state: "skipped", reason: "skipped:installation-suspended" }, deps);
  // Attempts don't count on a full disk: the job waits until there is room. A user who waits for the job sees the failure at once.
  const isWaiting = error.code === "disk-full" && deps.queueOptions.maxAttempts > 1;
  const retryAtMs = isWaiting ? deps.now() + FULL_DISK_WAIT_MS : error.retryAtMs;
  if (retryAtMs !== null) {
    const isParked = await queue.park(claim, retryAtMs, reason);
    return { state: isParked ? "parked" : "lost", reason };
  }
  if (error.retryable && claim.job.attempts < deps.queueOptions.maxAttempts) {
    const next = await queue.retry(claim, reason);
    return { state: next === "queued" ? "retrying" : next, reason };
  }
  // The hint is for the operator, who has it in the log; the pull request shows the message alone.
  const message = `${maskedMessage(error)}.`;
  return giveUp(claim, { kind: "failed", reason, message }, deps);
}

/** Ends a job that was superseded or cancelled. */
async function stopUnwanted(
  claim: Claim,
  kind: "superseded" | "cancelled",
  deps: GiveUpDeps,
  outcomeReason: string,
): Promise<JobEnd> {
  const next = kind === "superseded" ? ((await deps.queue.read(claim.job.id))?.supersededBy ?? null) : null;
  const reason = next === null ? outcomeReason : `superseded-by:${next}`;
  const message =
    kind === "cancelled" ? "The review was cancelled." : "A newer commit or request replaced this review.";
  return giveUp(claim, { kind, reason, message }, deps);
}

/** Notifies people first, then records: a worker that crashes in between notifies twice rather than never. */
async function giveUp(claim: Claim, why: GivingUp, deps: GiveUpDeps): Promise<JobEnd> {
  try {
    await within(GIVE_UP_WITHIN_MS, untilHardStop(deps.recipe.giveUp(claim.job, why), deps.hardStop));
  } catch (error) {
    // The next worker gives up for the same reason, and has time for the notice.
    if (deps.hardStop.aborted) return release(claim, deps);
    deps.log.warn("could not publish the notice", { reason: why.reason, error: maskedMessage(error) });
  }
  return end(claim, { state: why.kind, reason: why.reason }, deps);
}

async function end(claim: Claim, completion: Completion, { queue }: ClaimDeps): Promise<JobEnd> {
  const isOurs = await queue.complete(claim, completion);
  return isOurs ? completion : { state: "lost", reason: completion.reason };
}

export async function release(claim: Claim, { queue }: ClaimDeps): Promise<JobEnd> {
  await queue.release(claim);
  return { state: "released", reason: "shutting down" };
}

/** Rejects at a hard stop, even if the work continues. */
async function untilHardStop<Value>(work: Promise<Value>, hardStop: AbortSignal): Promise<Value> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new Error("the process is shutting down"));
  hardStop.addEventListener("abort", stop, { once: true });
  if (hardStop.aborted) stop();
  try {
    return await Promise.race([work, stopped]);
  } finally {
    hardStop.removeEventListener("abort", stop);
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const kind = error instanceof KodiaiError ? error.code : "defect";
  return maskCredentials(`failed:${kind}: ${maskedMessage(error)}`).slice(0, MAX_REASON_CHARS);
}

function maskedMessage(error: unknown): string {
  return maskCredentials(messageOf(error));
}

/** A stack is only useful for internal errors. */
function stackOf(error: unknown): string | undefined {
  return error instanceof Error && !(error instanceof KodiaiError)
    ? maskCredentials(error.stack ?? "")
    : undefined;
}
