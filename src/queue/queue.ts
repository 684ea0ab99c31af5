/**
 * The Queue port: durable jobs for any number of worker processes.
 *
 * The life of a job: a job is `queued` until a worker claims it. The claim makes it `running` and is a lease with a random
 * token, which the worker keeps renewing. When the worker crashes, the lease expires and another worker claims the job. A
 * worker that lost its lease is fenced: its token no longer matches, so its calls change nothing. A job ends as `done`,
 * `skipped`, `failed`, `superseded` or `cancelled`, always with a reason, and stays listed.
 *
 *     queued ──claim──▶ running ──complete──▶ done · skipped · failed · superseded
 *        ▲                 │
 *        └── retry, park, release, crash, lease expired
 *
 * A crash is charged to a job (`deaths`) only when the job must have caused it: it was its worker's only job, or it ran in
 * a separate process. When a worker crashes with several jobs, none of them is charged. Either way the job becomes a
 * suspect and runs in a separate process from then on, so the next crash affects no other job and shows which job caused
 * it. A job whose crashes can never be attributed is charged once its attempts are used up.
 */
import type { Sql } from "../store/database.ts";

export type JobState = "queued" | "running" | "done" | "skipped" | "failed" | "superseded" | "cancelled";

export type JobRequest = {
  /**
   * Two requests with the same key are one job while that job is open and after it is done. A job that was superseded or
   * skipped, or that failed without crashing its workers, doesn't block a new job with its key.
   */
  readonly key: string;
  /** The kind of recipe that runs the job. */
  readonly kind: string;
  /** Workers claim by lane, so a short job isn't stuck behind long ones. */
  readonly lane: string;
  /** Jobs with the same serial key run one at a time, in the order they were enqueued. Null means no such limit. */
  readonly serialKey: string | null;
  /** Ends queued jobs with the same serial key as superseded. A running one learns of it at its next heartbeat. */
  readonly supersedes: boolean;
  /** Jobs of one group (an installation) share a limit, and groups take turns. */
  readonly group: string;
  /** Higher runs first within its group. A job whose delay has just passed may be overtaken for a moment. */
  readonly priority: number;
  /** The job can't be claimed before this delay has passed. */
  readonly delayMs: number;
  /** Input for the recipe, as JSON. Never contains a credential. */
  readonly payload: string;
};

export type Job = {
  readonly id: number;
  readonly key: string;
  readonly kind: string;
  readonly lane: string;
  readonly serialKey: string | null;
  readonly group: string;
  readonly priority: number;
  readonly payload: string;
  readonly state: JobState;
  /** Why the job is in this state, as `group:detail`. For a queued job: why it was queued again. */
  readonly reason: string | null;
  /** The last step its worker reported. */
  readonly step: string | null;
  /** Claims so far. */
  readonly attempts: number;
  /** Claims that ended with a crash charged to this job. The name is part of the JSON output. */
  readonly deaths: number;
  /** A worker crashed or disappeared while it held this job, so the job must run in a separate process. */
  readonly isSuspect: boolean;
  readonly supersededBy: number | null;
  readonly createdAt: number;
  readonly runAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly worker: string | null;
};

export type Claim = {
  readonly job: Job;
  readonly token: string;
  /**
   * The job has reached the crash limit and must not run again. The worker publishes a notice and completes the job as
   * failed. If that crashes too, the queue ends the job itself.
   */
  readonly isPoisoned: boolean;
};

/** `lost`: the token no longer matches. `superseded`, `cancelled`: the lease is still held, but the work should stop. */
export type LeaseState = "held" | "lost" | "superseded" | "cancelled";

export type Enqueued = { readonly jobId: number; readonly isNew: boolean };

/** Jobs that are being enqueued in the caller's transaction. */
export type Enqueuing = {
  /** Adds those of the requests that are wanted. Returns one result for each, in order. Call it once. */
  readonly add: (wanted: readonly JobRequest[]) => Promise<readonly Enqueued[]>;
  /** Lets workers find the added jobs after the commit. Call it once, after `add`. */
  readonly finish: () => Promise<void>;
};

export type Completion = {
  readonly state: "done" | "skipped" | "failed" | "superseded" | "cancelled";
  readonly reason: string;
};

/** Lanes with this prefix are reserved: only workers that request them by name get their jobs. */
export const RESERVED_LANE_PREFIX = "only:";

/**
 * Lanes with this prefix get slots of their own: only workers that request them by name get their jobs, however many other slots are free.
 * Unlike in reserved lanes, groups take turns.
 */
export const SEPARATE_LANE_PREFIX = "separate-";

/** False for lanes that a worker must request by name. */
export function isSharedLane(lane: string): boolean {
  return !lane.startsWith(RESERVED_LANE_PREFIX) && !lane.startsWith(SEPARATE_LANE_PREFIX);
}

export type ClaimRequest = {
  /** Name of the worker process, unique per process: it shows which jobs were running in a process that crashed. */
  readonly worker: string;
  /** Null means every shared lane. */
  readonly lanes: readonly string[] | null;
};

export type QueueStats = {
  readonly queued: number;
  readonly running: number;
  /** Age of the oldest job that any worker could run now. Null if there is none. */
  readonly oldestReadyMs: number | null;
};

export type JobFilter = {
  readonly states: readonly JobState[] | null;
  readonly limit: number;
};

export type Queue = {
  /** Adds all of the jobs or none, inside the caller's transaction. Call `wake` after the commit. */
  enqueue(requests: readonly JobRequest[], sql: Sql): Promise<readonly Enqueued[]>;
  /**
   * Does the same in steps, for a caller that saves round trips to the database: it can send other statements with each step. This one
   * changes nothing, so some of the requests may turn out to be unwanted.
   */
  startEnqueuing(requests: readonly JobRequest[], sql: Sql): Promise<Enqueuing>;
  /** Notifies workers, in all processes that listen, that a transaction with new jobs was committed. */
  wake(): void;
  /** Resolves at the next `wake` or after `timeoutMs`, whichever comes first. Never rejects. */
  waitForWork(timeoutMs: number, signal: AbortSignal): Promise<void>;
  claim(request: ClaimRequest): Promise<Claim | null>;
  heartbeat(claim: Claim, step: string): Promise<LeaseState>;
  /** False if the lease was lost; nothing has changed then. */
  complete(claim: Claim, completion: Completion): Promise<boolean>;
  /**
   * Queues the job again with a backoff that grows with its attempts, or ends it as failed when they are used up.
   * `stopped`: the job was superseded or cancelled in the meantime and has ended that way. The same applies to `park` and
   * `release`.
   */
  retry(claim: Claim, reason: string): Promise<"queued" | "failed" | "stopped" | "lost">;
  /** Queues the job until then without counting the attempt. The worker is free for other jobs. */
  park(claim: Claim, untilMs: number, reason: string): Promise<boolean>;
  /** Queues the job again at once, as if it had never been claimed, because the worker is shutting down. */
  release(claim: Claim): Promise<boolean>;
  /**
   * Reports that the separate process of this job crashed. The crash is charged to the job, which can't run again before
   * the duration of a lease has passed. False if the lease was lost.
   */
  crash(claim: Claim): Promise<boolean>;
  /** Ends a queued job. A running one learns of it at its next heartbeat. False if the job had already ended. */
  cancel(jobId: number, reason: string): Promise<boolean>;
  /** Queues a failed, cancelled or skipped job again, for any worker. False if it is in another state. */
  requeue(jobId: number): Promise<boolean>;
  read(jobId: number): Promise<Job | null>;
  /** Every job that this one superseded, directly or through another. */
  supersededBy(jobId: number): Promise<readonly Job[]>;
  /** Newest first. */
  list(filter: JobFilter): Promise<readonly Job[]>;
  stats(): Promise<QueueStats>;
  /** Whether any job with one of these keys has yet to end. */
  isAnyOpen(keys: readonly string[]): Promise<boolean>;
  /** Every job whose serial key starts with `prefix`. */
  listSerial(prefix: string): Promise<readonly Pick<Job, "id" | "state">[]>;
  /** Deletes those of the jobs that have ended. */
  forget(jobIds: readonly number[]): Promise<void>;
  /** Deletes jobs that ended before then and returns how many. */
  prune(beforeMs: number): Promise<number>;
  /** Stops listening for work. Leaves the database open. */
  close(): Promise<void>;
};

/** Settings of a queue. The defaults suit a server with a few workers. */
export type QueueOptions = {
  readonly leaseMs: number;
  /** Most jobs of one group that may run at the same time, across all workers. */
  readonly groupLimit: number;
  readonly maxAttempts: number;
  readonly maxCrashes: number;
  /** Backoff before the second attempt. It doubles with each attempt, up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
};

export const QUEUE_DEFAULTS: QueueOptions = {
  // With a heartbeat every 10 s, a worker may miss several. After a crash its jobs start again within 90 s.
  leaseMs: 60_000,
  groupLimit: 4,
  // About two hours with the backoff below. Most outages of a host or a network are over by then.
  maxAttempts: 14,
  maxCrashes: 3,
  backoffMs: 15_000,
  maxBackoffMs: 15 * 60_000,
};
