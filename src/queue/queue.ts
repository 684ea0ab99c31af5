/**
 * The Queue port: durable jobs for any number of worker processes.
 *
 * The life of a job: it is `queued` until a worker claims it; the claim is a lease with a random token and makes it
 * `running`. A live worker renews its lease. When the worker crashes, the lease expires and another worker claims the job.
 * A claim whose lease was lost is fenced: its token no longer matches and nothing it says changes the job. A job ends as
 * `done`, `skipped`, `failed`, `superseded` or `cancelled`, always with a reason, and stays listed.
 *
 *     queued ──claim──▶ running ──complete──▶ done · skipped · failed · superseded
 *        ▲                 │
 *        └── retry, park, release, crash, lease expired
 *
 * A crash is charged to a job (`deaths`) only when the job must have caused it: it was the only job its worker had, or it
 * ran in a process of its own. When a worker crashes with several jobs, none of them is charged. Either way the job is a
 * suspect from then on, and its worker runs it in a process of its own, so that the next crash hurts no other job and shows
 * who caused it. A job whose crashes are never attributable is charged once it has used up its attempts.
 */
import type { Sql } from "../store/database.ts";

export type JobState = "queued" | "running" | "done" | "skipped" | "failed" | "superseded" | "cancelled";

export type JobRequest = {
  /**
   * Two requests with one key are one job while it is open and once it is done. One that was superseded or skipped, or
   * that failed without killing its workers, makes room for another.
   */
  readonly key: string;
  /** Which recipe runs it. */
  readonly kind: string;
  /** Workers claim by lane, so that a short job is not stuck behind long ones. */
  readonly lane: string;
  /** At most one job with this key runs at a time, in the order of their coming; null: no such limit. */
  readonly serialKey: string | null;
  /** Queued jobs of the same serial key end as superseded; a running one is told so when it next renews its lease. */
  readonly supersedes: boolean;
  /** Jobs of one group (an installation) share a limit, and groups take turns. */
  readonly group: string;
  /** Higher goes first within its group. */
  readonly priority: number;
  /** Not before this much time has passed. */
  readonly delayMs: number;
  /** JSON; what the recipe needs. Never a credential. */
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
  /** Why it is in this state, as `group:detail`; for a queued job, why it waits again. */
  readonly reason: string | null;
  /** What the worker was last doing. */
  readonly step: string | null;
  /** Claims so far. */
  readonly attempts: number;
  /** How many of them ended with a crash that is charged to this job. */
  readonly deaths: number;
  /** A worker crashed or vanished while it had this job: the job must run in a process of its own. */
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
   * The job has crashed as often as a job may: it must not run again. The worker notifies people and completes it as
   * failed. If that crashes too, the queue ends the job by itself.
   */
  readonly isPoisoned: boolean;
};

/** `lost`: the token fits no more. `superseded`, `cancelled`: still held, and the work should stop. */
export type LeaseState = "held" | "lost" | "superseded" | "cancelled";

export type Enqueued = { readonly jobId: number; readonly isNew: boolean };

export type Completion = {
  readonly state: "done" | "skipped" | "failed" | "superseded" | "cancelled";
  readonly reason: string;
};

/** A lane that begins like this is for the worker that asks for it by name, and for no other. */
export const RESERVED_LANE_PREFIX = "only:";

export type ClaimRequest = {
  /** Name of the worker process. No two processes share one, so that the queue knows which jobs a crash took down. */
  readonly worker: string;
  /** Null: every lane that is not reserved. */
  readonly lanes: readonly string[] | null;
};

export type QueueStats = {
  readonly queued: number;
  readonly running: number;
  /** Age of the oldest job that any worker could run now; null when there is none. */
  readonly oldestReadyMs: number | null;
};

export type JobFilter = {
  readonly states: readonly JobState[] | null;
  readonly limit: number;
};

export type Queue = {
  /** All or none of them, once in the caller's transaction; workers are woken after `wake`. */
  enqueue(requests: readonly JobRequest[], sql: Sql): Promise<readonly Enqueued[]>;
  /** Says that a transaction with new jobs has been committed, to the workers of all processes that can hear it. */
  wake(): void;
  /** Resolves at the next `wake` or after `timeoutMs`, whichever comes first; never rejects. */
  waitForWork(timeoutMs: number, signal: AbortSignal): Promise<void>;
  claim(request: ClaimRequest): Promise<Claim | null>;
  heartbeat(claim: Claim, step: string): Promise<LeaseState>;
  /** False when the lease was lost: nothing has changed then. */
  complete(claim: Claim, completion: Completion): Promise<boolean>;
  /**
   * Tries again after a pause that grows with the attempts; ends as failed when there were too many. `stopped`: somebody
   * had superseded or cancelled it meanwhile, and it has ended as that. So does a job that is parked or released then.
   */
  retry(claim: Claim, reason: string): Promise<"queued" | "failed" | "stopped" | "lost">;
  /** Waits until then without counting an attempt; the worker is free for others. */
  park(claim: Claim, untilMs: number, reason: string): Promise<boolean>;
  /** Gives the job back at once, as if it had never been claimed: the worker is shutting down. */
  release(claim: Claim): Promise<boolean>;
  /**
   * The process that ran this job and nothing else has crashed: charged to the job, which waits as long as a lease lasts
   * before it may run again. False when the lease was lost.
   */
  crash(claim: Claim): Promise<boolean>;
  /** A queued job ends; a running one is told when it next renews its lease. False when it has ended before. */
  cancel(jobId: number, reason: string): Promise<boolean>;
  /** Queues a job again, for any worker, that has ended as failed, cancelled or skipped. False when in another state. */
  requeue(jobId: number): Promise<boolean>;
  read(jobId: number): Promise<Job | null>;
  /** Every job that this one replaced, and that those replaced. */
  supersededBy(jobId: number): Promise<readonly Job[]>;
  /** Newest first. */
  list(filter: JobFilter): Promise<readonly Job[]>;
  stats(): Promise<QueueStats>;
  /** Every job whose serial key begins like this. */
  listSerial(prefix: string): Promise<readonly Pick<Job, "id" | "state">[]>;
  /** Forgets those of these jobs that have ended. */
  forget(jobIds: readonly number[]): Promise<void>;
  /** Forgets jobs that ended before then; how many. */
  prune(beforeMs: number): Promise<number>;
  /** Stops listening for work. The database stays open. */
  close(): Promise<void>;
};

/** What a queue is set to; the defaults suit a server with a few workers. */
export type QueueOptions = {
  readonly leaseMs: number;
  /** Most jobs of one group that run at a time, over all workers. */
  readonly groupLimit: number;
  readonly maxAttempts: number;
  readonly maxDeaths: number;
  /** Pause before the second attempt; it doubles with each one, up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
};

export const QUEUE_DEFAULTS: QueueOptions = {
  // With a heartbeat every 10 s a worker may miss several; a dead one's job starts again within 90 s.
  leaseMs: 60_000,
  groupLimit: 4,
  // With the pauses below about two hours: an outage of the host, or of the network, is usually over by then.
  maxAttempts: 14,
  maxDeaths: 3,
  backoffMs: 15_000,
  maxBackoffMs: 15 * 60_000,
};
