/** The contract between a worker and the recipes it runs: a job in, an outcome out. */
import type { Log } from "../base/log.ts";
import type { Job, LeaseState } from "../queue/queue.ts";

export type JobOutcome =
  | { readonly state: "done" | "skipped" | "superseded" | "cancelled"; readonly reason: string }
  /** Another worker holds the job. This one must not decide or report anything more. */
  | { readonly state: "lost" }
  /** The job can't continue before `untilMs`. The worker takes other jobs until then. */
  | { readonly state: "wait"; readonly untilMs: number; readonly reason: string };

/** Long enough to compare a month with the one before. A repository can choose another number. */
export const KEEP_STATISTICS_DAYS = 90;

/** The use of one model in one attempt. */
export type ModelUse = {
  /** `provider:name`. */
  readonly model: string;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Millionths of a dollar. Null if the price is unknown. */
  readonly costMicroUsd: number | null;
};

export type JobContext = {
  readonly job: Job;
  /** Aborted when the lease is lost, the job is superseded or cancelled, or the process shuts down. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Records the current step, which `kodiai jobs` shows. */
  step(name: string): Promise<void>;
  /** Reads the current state of the lease from the queue. */
  lease(): Promise<LeaseState>;
  /** How many days the repository wants statistics about this job to be kept; 0 for none. Without a call, they name no repository. */
  keepStatistics(days: number): void;
  /** Counts the use of models for the metrics, which name no repository. */
  countModelUse(uses: readonly ModelUse[]): void;
};

/** Why a job ends without finishing its work. */
export type GivingUp = {
  readonly kind: "failed" | "superseded" | "cancelled";
  /** The reason in the job's record, such as "failed:poison". */
  readonly reason: string;
  /** One sentence, shown on the pull request. */
  readonly message: string;
};

export type Recipe = {
  /** Throws on failure. A retryable KodiaiError makes the worker retry the job. */
  run(context: JobContext): Promise<JobOutcome>;
  /** Reports on the pull request that the job won't finish. Called once, after the work has stopped. */
  giveUp(job: Job, why: GivingUp): Promise<void>;
};

/** The result of one claim of a job by a worker. */
export type JobReport = {
  readonly job: Job;
  /** The state and reason after the claim. */
  readonly state: string;
  readonly reason: string;
  readonly ms: number;
  /** Zero if the repository wants no statistics to be stored. Null if the job doesn't know: then they must not name it. */
  readonly keepDays: number | null;
  readonly modelUses: readonly ModelUse[];
};
