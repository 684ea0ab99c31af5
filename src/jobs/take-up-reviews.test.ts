import assert from "node:assert/strict";
import { test } from "node:test";
import { type Engine, ENGINES, withStore } from "../../test/support/queue-contract/engines.ts";
import { DAY_MS } from "../base/day-ms.ts";
import { KodiaiError } from "../base/errors.ts";
import type { Forge, ForgeSession, PullRequest } from "../forge/forge.ts";
import { type Job, QUEUE_DEFAULTS } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import { setPause } from "../store/repositories/pauses.ts";
import { claimRun, finishRun, MODEL_UNAVAILABLE, type RunEnd } from "../store/repositories/runs.ts";
import { planReview } from "./plan-job.ts";
import { parseReviewJob } from "./review-job.ts";
import { createTakeUp } from "./take-up-reviews.ts";

const MINUTE_MS = 60_000;
const REF = {
  host: "github.com",
  installationId: 1,
  forgeId: 2,
  repositoryId: 2,
  owner: "acme",
  name: "shop",
};
const HEAD = "a".repeat(40);
const OTHER_HEAD = "b".repeat(40);

type Ended = { readonly head?: string; readonly triggers?: string; readonly end?: Partial<RunEnd> };

/** A reconciler's view: a queue, runs, and pull requests that are open at HEAD unless said otherwise. */
function openScene(engine: Engine, work: (scene: Awaited<ReturnType<typeof sceneOf>>) => Promise<void>) {
  return withStore(engine, async (store) => {
    const queue = await engine.openQueue(store, QUEUE_DEFAULTS, store.now);
    try {
      await work(await sceneOf(store.database, queue));
    } finally {
      await queue.close();
    }
  });
}

async function sceneOf(database: Database, queue: Awaited<ReturnType<Engine["openQueue"]>>) {
  const state = { now: 100 * DAY_MS };
  const changed = new Map<number, Partial<PullRequest> | KodiaiError>();
  const asked: number[] = [];
  const read = async (number: number): Promise<PullRequest> => {
    asked.push(number);
    const given = changed.get(number) ?? {};
    if (given instanceof KodiaiError) throw given;
    // Only these fields are read.
    return { isOpen: true, head: HEAD, author: { login: "ada", isBot: false }, ...given } as PullRequest;
  };
  const session = { pullRequests: { read }, close: async () => {} };
  // A test double: nothing else is called.
  const forge: Pick<Forge, "openSession"> = { openSession: () => session as unknown as ForgeSession };
  const deps = { forge, queue, database, now: () => state.now };
  let takeUp = createTakeUp(deps);
  let jobs = 0;
  /** A run of the pull request that ended `minutes` ago; by default, in an outage. */
  const addRun = async (number: number, minutes: number, { head = HEAD, triggers, end }: Ended = {}) => {
    const { request } = planReview({
      repositoryRef: REF,
      number,
      head: `${head}-${jobs++}`,
      isBot: false,
      trigger: "opened",
      requestId: "",
      isFull: false,
      reactTo: null,
      requester: { login: "eve", isBot: false, isInsider: false },
    });
    const lane = "only:test";
    const [enqueued] = await database.transaction((sql) => queue.enqueue([{ ...request, lane }], sql));
    const { installationId, repositoryId } = REF;
    const run = await claimRun(
      {
        jobId: enqueued?.jobId ?? 0,
        installationId,
        repositoryId,
        repository: "acme/shop",
        pullRequest: number,
        base: OTHER_HEAD,
        head,
        triggers: triggers ?? "opened",
        startedAt: state.now,
      },
      database,
    );
    const finishedAt = state.now - minutes * MINUTE_MS;
    const outage = { status: "partial", reason: MODEL_UNAVAILABLE, finishedAt } as const;
    await finishRun(run.id, { ...outage, findingsTotal: 0, findingsReported: 0, ...end }, database);
  };
  const started = async (): Promise<readonly Job[]> => {
    const all = await queue.list({ states: null, limit: 1_000 });
    return all.filter(({ payload }) => parseReviewJob(payload).trigger === "model-back").toReversed();
  };
  return {
    state,
    changed,
    asked,
    addRun,
    database,
    pass: () => takeUp(new AbortController().signal),
    restart: () => void (takeUp = createTakeUp(deps)),
    numbers: async () => (await started()).map(({ payload }) => parseReviewJob(payload).number),
    started,
  };
}

for (const engine of ENGINES) {
  test(`${engine.name}: reviews of an outage are taken up newest first, ten per pass, each once`, () =>
    openScene(engine, async ({ addRun, pass, numbers, started, restart }) => {
      // Pull request 1 is the newest.
      for (let number = 13; number > 0; number--) await addRun(number, 5 + number);
      assert.equal(await pass(), 10);
      assert.deepEqual(await numbers(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      assert.equal(await pass(), 3);
      assert.equal(await pass(), 0);
      restart();
      assert.equal(await pass(), 0);
      const [first] = await started();
      const { requester, request } = parseReviewJob(first?.payload ?? "");
      assert.equal(requester?.login, "eve", "the requester of the first review pays for the second");
      assert.match(request, /^outage-\d+$/, "a review of its own");
      assert.ok((first?.priority ?? 0) < 0);
    }));

  test(`${engine.name}: only the last review of an open, unpaused head is taken up`, () =>
    openScene(engine, async ({ addRun, pass, numbers, changed, asked, database }) => {
      const published = { status: "completed", reason: "published" } as const;
      const skipped = { status: "skipped", reason: "skipped:already-reviewed" } as const;
      await addRun(1, 30, { end: { status: "partial", reason: "model-failed" } });
      await addRun(2, 30);
      await addRun(2, 20, { end: published });
      await addRun(3, 30);
      await addRun(3, 20, { head: OTHER_HEAD, end: skipped });
      await addRun(4, 3 * 24 * 60);
      await addRun(5, 4);
      await addRun(6, 30);
      await setPause({ repositoryId: REF.repositoryId, pullRequest: 6 }, { login: "ada", at: 1 }, database);
      await addRun(7, 30);
      changed.set(7, { isOpen: false });
      await addRun(8, 30);
      changed.set(8, { head: OTHER_HEAD });
      await addRun(9, 30);
      changed.set(9, new KodiaiError("not-found", "gone", { hint: "None." }));
      await addRun(10, 30);
      await addRun(10, 20, { end: skipped });
      assert.equal(await pass(), 1);
      assert.deepEqual(await numbers(), [10]);
      assert.deepEqual(new Set(asked), new Set([7, 8, 9, 10]));
      await pass();
      assert.equal(asked.length, 4, "GitHub isn't asked again about those that are settled");
    }));

  test(`${engine.name}: each try waits longer than the last, and after six there is none`, () =>
    openScene(engine, async ({ addRun, pass, state }) => {
      const delays = [5, 15, 60, 240, 720, 1_440];
      await addRun(1, 0);
      for (const minutes of delays) {
        state.now += minutes * MINUTE_MS - 1;
        assert.equal(await pass(), 0, `${minutes} minutes`);
        state.now += 1;
        assert.equal(await pass(), 1, `${minutes} minutes`);
        await addRun(1, 0, { triggers: "model-back" });
      }
      state.now += 40 * 60 * MINUTE_MS;
      assert.equal(await pass(), 0);
    }));
}
