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

/** Runs in one transaction and counts its statements. */
async function record(
  deliveries: readonly PlannedDelivery[],
  { store, queue }: { store: Store; queue: Queue },
) {
  let statements = 0;
  const states = await store.database.transaction((sql) => {
    const counted: Sql = {
      query(text, params) {
        statements++;
        return sql.query(text, params);
      },
    };
    return recordDeliveries(deliveries, queue, counted);
  });
  return { states, statements };
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
      const { states, statements } = await record(all, deps);
      assert.equal(new Set(states.map((state) => "jobId" in state && state.jobId)).size, 100);
      assert.ok(statements <= 20, `${statements} statements for 100 deliveries`);
      const one = await record([delivery("alone", asking(1_000))], deps);
      assert.ok(one.statements <= 8, `${one.statements} statements for one delivery`);
    }));

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
