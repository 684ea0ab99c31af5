/** A queue on a new store, with a clock that only moves when the test moves it. */
import assert from "node:assert/strict";
import { QUEUE_DEFAULTS } from "../../../src/queue/queue.ts";
import { type Engine, withStore } from "./engines.ts";
import type { Claim, Enqueued, Job, JobRequest, Queue, QueueOptions } from "../../../src/queue/queue.ts";
import type { Database } from "../../../src/store/database.ts";

export type SampleQueue = {
  readonly queue: Queue;
  readonly database: Database;
  readonly url: string;
  readonly options: QueueOptions;
  readonly now: () => number;
  readonly pass: (ms: number) => void;
  /** Enqueues in a separate transaction. */
  readonly add: (...requests: readonly Partial<JobRequest>[]) => Promise<readonly Enqueued[]>;
  /** Claims a job and fails if there is none. Always uses the same worker unless another is named. */
  readonly take: (lanes?: readonly string[] | null, worker?: string) => Promise<Claim>;
  /** Claims a job and returns its id, or null if there is none. */
  readonly takeId: (lanes?: readonly string[] | null) => Promise<number | null>;
  readonly read: (jobId: number) => Promise<Job>;
};

let keys = 0;

export function requestOf(given: Partial<JobRequest>): JobRequest {
  return {
    key: `key-${++keys}`,
    kind: "review",
    lane: "review",
    serialKey: null,
    supersedes: false,
    group: "acme",
    priority: 0,
    delayMs: 0,
    payload: "{}",
    ...given,
  };
}

export async function withQueue(
  engine: Engine,
  given: Partial<QueueOptions>,
  work: (sample: SampleQueue) => Promise<void>,
): Promise<void> {
  await withStore(engine, async (store, url) => {
    const { database } = store;
    let time = 1_700_000_000_000;
    const now = (): number => time;
    const options = { ...QUEUE_DEFAULTS, groupLimit: 100, ...given };
    const queue = await engine.openQueue(store, options, now);
    const claim = (lanes: readonly string[] | null = null, worker = "tester") =>
      queue.claim({ worker, lanes });
    const sample: SampleQueue = {
      queue,
      database,
      url,
      options,
      now,
      pass: (ms) => void (time += ms),
      add: (...requests) => database.transaction((sql) => queue.enqueue(requests.map(requestOf), sql)),
      async take(lanes, worker) {
        const taken = await claim(lanes, worker);
        assert.ok(taken !== null, "there should have been a job to claim");
        return taken;
      },
      takeId: async (lanes) => (await claim(lanes))?.job.id ?? null,
      async read(jobId) {
        const job = await queue.read(jobId);
        assert.ok(job !== null, `job ${jobId} should be there`);
        return job;
      },
    };
    try {
      await work(sample);
    } finally {
      await queue.close();
    }
  });
}

/** Ids of the enqueued jobs, in order. */
export function idsOf(enqueued: readonly Enqueued[]): readonly number[] {
  return enqueued.map(({ jobId }) => jobId);
}

export const DONE = { state: "done", reason: "published" } as const;
