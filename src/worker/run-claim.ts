/**
 * One claimed job from its claim to its record. The job's signal is aborted as soon as the lease is lost, a newer job
 * takes its place, somebody cancels it, or the process must stop; what it was doing then decides nothing any more.
 */
import { count } from "../base/count.ts";
import { describeError, KodiaiError, messageOf } from "../base/errors.ts";
import { maskCredentials } from "../base/secrets/mask-credentials.ts";
import type { GivingUp, JobContext, JobOutcome, Recipe } from "../jobs/recipe.ts";
import type { Claim, Completion, LeaseState } from "../queue/queue.ts";
import { createPersistentQueue } from "./persistent-queue.ts";
import type { JobRunDeps } from "./worker.ts";

/** A worker may miss several heartbeats and still hold its job: one every 10 s for a lease of 60 s. */
export const HEARTBEATS_PER_LEASE = 6;

/** Telling people is worth some seconds, never a stuck worker. */
const GIVE_UP_WITHIN_MS = 30_000;

/** A reason is for a list; the log has the rest. */
const MAX_REASON_CHARS = 300;

export type ClaimDeps = JobRunDeps & {
  /** Aborted when the process stops and jobs are to be given back. */
  readonly giveBack: AbortSignal;
  /** Aborted when the process ends in a moment: what does not stop by itself is left where it is. */
  readonly abandon: AbortSignal;
};

export async function runClaim(claim: Claim, deps: ClaimDeps): Promise<void> {
  const { job } = claim;
  const { now, log: parent } = deps;
  const log = parent.with({ job: job.id, kind: job.kind, attempt: job.attempts });
  const startedAt = now();
  const queue = createPersistentQueue(deps.queue, { ...deps.queueOptions, abandon: deps.abandon, log });
  let hasStatistics = true;
  const withoutStatistics = (): void => void (hasStatistics = false);
  const { state, reason } = await workOn(claim, { ...deps, queue, log, withoutStatistics });
  const ms = now() - startedAt;
  log.info("job left", { state, reason, ms });
  deps.onReport({ job, state, reason, ms, hasStatistics });
}

const LOST = { state: "lost", reason: "lease-lost" };

export type JobEnd = { readonly state: string; readonly reason: string };

type WorkDeps = ClaimDeps & Pick<JobContext, "withoutStatistics">;

async function workOn(claim: Claim, deps: WorkDeps): Promise<JobEnd> {
  const recipe = deps.recipes[claim.job.kind];
  if (recipe === undefined) return end(claim, { state: "failed", reason: "failed:unknown-kind" }, deps);
  if (claim.isPoisoned) {
    const message = `The review crashed its process ${count(claim.job.deaths, "time")}. It won't be retried.`;
    return giveUp(claim, { kind: "failed", reason: "failed:poison", message }, { ...deps, recipe });
  }
  const lease = watchLease(claim, deps);
  try {
    const outcome = await unlessAbandoned(recipe.run(contextOf(claim, lease, deps)), deps.abandon);
    return await settle(claim, outcome, { ...deps, recipe, lease });
  } catch (error) {
    return await settleFailure(claim, error, { ...deps, recipe, lease });
  } finally {
    lease.stop();
  }
}

type LeaseWatch = {
  readonly signal: AbortSignal;
  /** Why the signal was aborted; null while it was not. */
  ended(): Exclude<LeaseState, "held"> | "stopping" | null;
  beat(step: string): Promise<LeaseState>;
  lastStep(): string;
  stop(): void;
};

function watchLease(claim: Claim, { queue, log, giveBack, queueOptions }: ClaimDeps): LeaseWatch {
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
  // A heartbeat that fails is not the end of the lease; the next one may succeed in time.
  const timer = setInterval(() => {
    beat(step).catch((error: unknown) => log.warn("heartbeat failed", { error: maskedMessage(error) }));
  }, queueOptions.leaseMs / HEARTBEATS_PER_LEASE);
  const onStop = (): void => end("stopping");
  giveBack.addEventListener("abort", onStop, { once: true });
  if (giveBack.aborted) onStop();
  return {
    signal: controller.signal,
    ended: () => ended,
    beat,
    lastStep: () => step,
    stop() {
      clearInterval(timer);
      giveBack.removeEventListener("abort", onStop);
    },
  };
}

function contextOf({ job }: Claim, lease: LeaseWatch, { log, now, withoutStatistics }: WorkDeps): JobContext {
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
    withoutStatistics,
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
 * Asks once more before a job is put back: one that was superseded or cancelled since its last heartbeat would end in
 * the queue, and nobody would be told.
 */
async function whyEnded(lease: LeaseWatch): Promise<ReturnType<LeaseWatch["ended"]>> {
  const known = lease.ended();
  if (known !== null && known !== "stopping") return known;
  try {
    const state = await lease.beat(lease.lastStep());
    return state === "held" ? known : state;
  } catch {
    // The queue does not answer; whoever puts the job back hears why.
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
  log.warn("job failed", { reason, step: lease.lastStep(), stack: stackOf(error) });
  if (!(error instanceof KodiaiError)) {
    return giveUp(claim, { kind: "failed", reason, message: "Kodiai has a defect here." }, deps);
  }
  if (error.code === "suspended")
    return end(claim, { state: "skipped", reason: "skipped:installation-suspended" }, deps);
  if (error.retryAtMs !== null) {
    const isParked = await queue.park(claim, error.retryAtMs, reason);
    return { state: isParked ? "parked" : "lost", reason };
  }
  if (error.retryable && claim.job.attempts < deps.queueOptions.maxAttempts) {
    const next = await queue.retry(claim, reason);
    return { state: next === "queued" ? "retrying" : next, reason };
  }
  const message = maskCredentials(describeError(error));
  return giveUp(claim, { kind: "failed", reason, message }, deps);
}

/** A newer job, or a person, has made this one pointless. */
async function stopUnwanted(
  claim: Claim,
  kind: "superseded" | "cancelled",
  deps: GiveUpDeps,
  said: string,
): Promise<JobEnd> {
  const next = kind === "superseded" ? ((await deps.queue.read(claim.job.id))?.supersededBy ?? null) : null;
  const reason = next === null ? said : `superseded-by:${next}`;
  const message =
    kind === "cancelled" ? "The review was cancelled." : "A newer commit or request took its place.";
  return giveUp(claim, { kind, reason, message }, deps);
}

/** People first, then the record: a worker that dies in between says it twice rather than never. */
async function giveUp(claim: Claim, why: GivingUp, deps: GiveUpDeps): Promise<JobEnd> {
  try {
    await within(GIVE_UP_WITHIN_MS, unlessAbandoned(deps.recipe.giveUp(claim.job, why), deps.abandon));
  } catch (error) {
    // The next worker comes to the same end, and has the time to say it.
    if (deps.abandon.aborted) return release(claim, deps);
    deps.log.warn("notice could not be given", { reason: why.reason, error: maskedMessage(error) });
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

/** Rejects when the process ends in a moment, whatever the work does then. */
async function unlessAbandoned<Value>(work: Promise<Value>, abandon: AbortSignal): Promise<Value> {
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(new Error("the process ends"));
  abandon.addEventListener("abort", leave, { once: true });
  if (abandon.aborted) leave();
  try {
    return await Promise.race([work, left]);
  } finally {
    abandon.removeEventListener("abort", leave);
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

/** What a person can mend needs no stack. */
function stackOf(error: unknown): string | undefined {
  return error instanceof Error && !(error instanceof KodiaiError)
    ? maskCredentials(error.stack ?? "")
    : undefined;
}
