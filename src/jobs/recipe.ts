/** What a recipe is to the worker that runs it: a job in, an outcome out. */
import type { Log } from "../base/log.ts";
import type { Job, LeaseState } from "../queue/queue.ts";

export type JobOutcome =
  | { readonly state: "done" | "skipped" | "superseded" | "cancelled"; readonly reason: string }
  /** Another worker has the job: there is nothing left to decide or to tell. */
  | { readonly state: "lost" }
  /** Nothing can be done before then; the worker is free for others meanwhile. */
  | { readonly state: "wait"; readonly untilMs: number; readonly reason: string };

export type JobContext = {
  readonly job: Job;
  /** Aborted when the job is no longer ours or no longer wanted, and when the process shuts down. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Says what is being done, for people who ask. */
  step(name: string): Promise<void>;
  /** Asks the queue, now, whether the job is still ours and still wanted. */
  lease(): Promise<LeaseState>;
  /** The repository wants no statistics: none are stored about this job. */
  withoutStatistics(): void;
};

/** Why a job ends without its work being done. */
export type GivingUp = {
  readonly kind: "failed" | "superseded" | "cancelled";
  /** As in the job's record: "failed:poison". */
  readonly reason: string;
  /** One sentence for the people who wait for the review. */
  readonly message: string;
};

export type Recipe = {
  /** Throws for what failed; a KodiaiError that is retryable is tried again. */
  run(context: JobContext): Promise<JobOutcome>;
  /** Tells the people who wait that nothing more will come. Called once, after the work has stopped. */
  giveUp(job: Job, why: GivingUp): Promise<void>;
};

/** What became of a job that a worker had. */
export type JobReport = {
  readonly job: Job;
  /** State and reason it was left in. */
  readonly state: string;
  readonly reason: string;
  readonly ms: number;
  /** False if the repository wants none to be stored. */
  readonly hasStatistics: boolean;
};
