import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../test/support/queue-contract/engines.ts";
import { type JobRequest, type Queue, QUEUE_DEFAULTS } from "../queue/queue.ts";
import type { Sql } from "../store/database.ts";
import { readDelivery } from "../store/repositories/deliveries.ts";
import type { Store } from "../store/store.ts";
import { type PlannedDelivery, recordDeliveries } from "./record-delivery.ts";

const NOW = 1_000;

/** A review of the pull request with this number, at this commit. */
function request(number: number, head = "a"): JobRequest {
  return {
    key: `review/${number}/${head}`,
    kind: "review",
    lane: "review",
    serialKey: `pull/${number}`,
    supersedes: true,
    group: "acme",
    priority: 0,
    delayMs: 0,
    payload: "{}",
  };
}

function delivery(id: string, plan: PlannedDelivery["plan"], bodyHash = "h"): PlannedDelivery {
  const facts = {
    action: "opened",
    installationId: 1,
    repositoryId: 2,
    repository: "acme/shop",
    pullRequest: 3,
    sender: "ada",
    seenHead: null,
  };
  return {
    id,
    event: "pull_request",
    bytes: 9,
    bodyHash,
    receivedAt: NOW,
    facts,
    plan,
    body: null,
  };
}

const asking = (number: number, head?: string): PlannedDelivery["plan"] => ({
  kind: "enqueue",
  request: request(number, head),
});

/** Runs in one transaction. Counts its statements, and its round trips: statements that are sent before an answer share one. */
async function record(
  deliveries: readonly PlannedDelivery[],
  { store, queue }: { store: Store; queue: Queue },
) {
  let [statements, roundTrips, unanswered] = [0, 0, 0];
  const states = await store.database.transaction((sql) => {
    const counted: Sql = {
      async query(text, params) {
        statements++;
        if (unanswered++ === 0) roundTrips++;
        try {
          return await sql.query(text, params);
        } finally {
          unanswered--;
        }
      },
    };
    return recordDeliveries(deliveries, queue, counted);
  });
  return { states, statements, roundTrips };
}

/** All jobs in the order of their ids, without the ids. */
async function jobsOf(queue: Queue): Promise<readonly string[]> {
  const jobs = (await queue.list({ states: null, limit: 999 })).toSorted((a, b) => a.id - b.id);
  const nth = new Map(jobs.map(({ id }, index) => [id, index]));
  return jobs.map(
    ({ key, state, supersededBy }) =>
      `${key.replace(/#.*/, "#")} ${state} ${supersededBy === null ? "" : nth.get(supersededBy)}`,
  );
}

for (const engine of ENGINES) {
  const withQueue = (work: (deps: { store: Store; queue: Queue }) => Promise<void>) =>
    withStore(engine, async (store) => {
      const queue = await engine.openQueue(store, QUEUE_DEFAULTS, () => NOW);
      try {
        await work({ store, queue });
      } finally {
        await queue.close();
      }
    });

  test(`${engine.name}: many deliveries share few statements`, () =>
    withQueue(async (deps) => {
      // The first job opens the lane.
      await record([delivery("first", asking(0))], deps);
      const all = Array.from({ length: 100 }, (_, index) => delivery(`d${index}`, asking(index + 1)));
      const { states, statements, roundTrips } = await record(all, deps);
      assert.equal(new Set(states.map((state) => "jobId" in state && state.jobId)).size, 100);
      assert.ok(statements <= 20, `${statements} statements for 100 deliveries`);
      const one = await record([delivery("alone", asking(1_000))], deps);
      assert.ok(one.statements <= 8, `${one.statements} statements for one delivery`);
      const again = all.map(({ id, plan }) => delivery(`${id} again`, plan));
      const known = await record(again, deps);
      assert.deepEqual(
        new Set(known.states.map((state) => "reason" in state && state.reason)),
        new Set(["same-job"]),
      );
      assert.ok(known.statements <= 20, `${known.statements} statements for 100 deliveries of known jobs`);
      if (deps.store.database.dialect.name === "sqlite") return;
      // One that looks up and one that writes.
      assert.deepEqual([roundTrips, one.roundTrips, known.roundTrips], [2, 2, 2]);
    }));

  test(`${engine.name}: any deliveries lead to the same jobs together as one by one`, () =>
    withQueue((together) =>
      withQueue(async (oneByOne) => {
        // Three commits of two pull requests in an order without a pattern.
        let seed = 7;
        const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
        for (let group = 0; group < 6; group++) {
          const deliveries = Array.from({ length: 1 + next(9) }, (_, index) =>
            delivery(`${group} ${index}`, asking(next(2), "abc"[next(3)])),
          );
          await record(deliveries, together);
          for (const one of deliveries) await record([one], oneByOne);
          assert.deepEqual(await jobsOf(together.queue), await jobsOf(oneByOne.queue));
          // A running job isn't superseded before it ends.
          for (const { queue } of [together, oneByOne]) {
            const claim = await queue.claim({ worker: "w", lanes: null });
            if (claim !== null && group % 2 === 0) {
              await queue.complete(claim, {
                state: group === 0 ? "done" : "failed",
                reason: "done:published",
              });
            }
          }
        }
      }),
    ));

  test(`${engine.name}: related deliveries get the same results in one transaction as one by one`, () =>
    withQueue(async (deps) => {
      const { store, queue } = deps;
      const { states } = await record(
        [
          delivery("a", asking(1)),
          delivery("b", asking(2)),
          delivery("a", asking(1)),
          delivery("a", asking(9), "another body"),
          // The same commit in another event, then a push to the same pull request.
          delivery("c", asking(1)),
          delivery("d", asking(1, "b")),
          delivery("e", { kind: "skip", reason: "skipped:own-event" }),
          delivery("f", asking(3)),
          delivery("g", { kind: "failed", code: "bad-payload", message: "no number" }),
        ],
        deps,
      );
      const [one, two, again, conflict, same, pushed, skipped, three, failed] = states.map((state) =>
        state.state === "conflict" ? "conflict" : `${state.state} ${state.reason} ${state.jobId ?? "-"}`,
      );
      const idOf = (said: string | undefined): number => Number(said?.split(" ").at(-1));
      assert.deepEqual(
        [again, conflict, same, skipped, failed],
        [
          "skipped skipped:duplicate-delivery -",
          "conflict",
          `queued same-job ${idOf(one)}`,
          "skipped skipped:own-event -",
          "failed failed:bad-payload: no number -",
        ],
      );
      const ids = [one, two, pushed, three].map(idOf);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
        "jobs are numbered in the order of their coming",
      );
      assert.equal((await queue.read(idOf(one)))?.state, "superseded");
      assert.equal((await queue.read(idOf(pushed)))?.state, "queued");
      for (const [guid, state, jobId] of [
        ["a", "queued", idOf(one)],
        ["d", "queued", idOf(pushed)],
        ["e", "skipped", null],
        ["g", "failed", null],
      ] as const) {
        const kept = await readDelivery(guid, store.database);
        assert.deepEqual([kept?.state, kept?.jobId, kept?.repository], [state, jobId, "acme/shop"], guid);
      }
    }));

  test(`${engine.name}: a delivery that another server records in the meantime is a duplicate, and with another body changes nothing`, () =>
    withQueue(async (deps) => {
      const { store, queue } = deps;
      await record([delivery("a", asking(1))], deps);
      // The look-up ran before the other server's commit.
      const late = (given: PlannedDelivery) =>
        store.database.transaction((sql) => {
          let isFirst = true;
          const blind: Sql = {
            query(text, params) {
              const isLookUp = isFirst && text.includes("body_hash");
              isFirst = false;
              return isLookUp ? Promise.resolve([]) : sql.query(text, params);
            },
          };
          return recordDeliveries([given], queue, blind);
        });
      assert.deepEqual(
        (await late(delivery("a", asking(1)))).map(({ state }) => state),
        ["skipped"],
      );
      await assert.rejects(late(delivery("a", asking(2), "another body")), { code: "database" });
      assert.equal((await queue.list({ states: null, limit: 9 })).length, 1);
    }));
}
