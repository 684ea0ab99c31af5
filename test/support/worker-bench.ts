/** A queue in a new file with a fixed clock, and the worker's side of one job. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createLog } from "../../src/base/log.ts";
import type { GivingUp, JobReport, Recipe } from "../../src/jobs/recipe.ts";
import { type JobRequest, QUEUE_DEFAULTS, type Queue } from "../../src/queue/queue.ts";
import { createSqliteQueue } from "../../src/queue/sqlite/sqlite-queue.ts";
import type { Database } from "../../src/store/database.ts";
import { openStore } from "../../src/store/store.ts";
import { runInProcess, type StartJobProcess } from "../../src/worker/run-in-process.ts";
import { runClaim } from "../../src/worker/run-claim.ts";

export const NOW = 1_000_000;

const NEVER = new AbortController().signal;

export const REQUEST: JobRequest = {
  key: "one",
  kind: "work",
  lane: "review",
  serialKey: "pull request",
  supersedes: true,
  group: "1",
  priority: 0,
  delayMs: 0,
  payload: "{}",
};

type Bench = {
  readonly queue: Queue;
  readonly database: Database;
  readonly gaveUp: GivingUp[];
  readonly reports: JobReport[];
  readonly lines: string[];
  /** Queues a job, claims it and runs the recipe, in this or a separate process. */
  readonly work: (
    run: Recipe["run"],
    options?: {
      readonly kind?: string;
      readonly releaseRequested?: AbortSignal;
      readonly hardStop?: AbortSignal;
      readonly giveUp?: () => Promise<void>;
      /** Whether the job runs in a separate process. */
      readonly startJobProcess?: StartJobProcess;
    },
  ) => Promise<void>;
  readonly add: (request: JobRequest) => Promise<number>;
};

export async function bench(t: TestContext): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-worker-"));
  const store = await openStore(`sqlite:${join(folder, "kodiai.db")}`);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { database } = store;
  const queue = createSqliteQueue(database, QUEUE_DEFAULTS, () => NOW);
  const gaveUp: GivingUp[] = [];
  const reports: JobReport[] = [];
  const lines: string[] = [];
  const log = createLog({
    level: "debug",
    format: "json",
    write: (line) => void lines.push(line),
    now: () => NOW,
  });
  const add = async (request: JobRequest): Promise<number> => {
    const [enqueued] = await database.transaction((sql) => queue.enqueue([request], sql));
    return enqueued?.jobId ?? 0;
  };
  return {
    queue,
    database,
    gaveUp,
    reports,
    lines,
    add,
    async work(
      run,
      { kind = "work", releaseRequested = NEVER, hardStop = NEVER, giveUp, startJobProcess } = {},
    ) {
      await add({ ...REQUEST, kind });
      const claim = await queue.claim({ worker: "test", lanes: null });
      assert.ok(claim !== null);
      const recipe: Recipe = {
        run,
        async giveUp(_, why) {
          gaveUp.push(why);
          await giveUp?.();
        },
      };
      const deps = {
        queue,
        recipes: { work: recipe },
        log,
        now: () => NOW,
        queueOptions: QUEUE_DEFAULTS,
        onReport: (report: JobReport) => void reports.push(report),
        releaseRequested,
        hardStop,
      };
      if (startJobProcess === undefined) await runClaim(claim, deps);
      else await runInProcess(claim, { ...deps, startJobProcess });
    },
  };
}
