import assert from "node:assert/strict";
import { test } from "node:test";
import { engineNamed, withStore } from "../../../test/support/queue-contract/engines.ts";
import { idsOf, requestOf, withQueue } from "../../../test/support/queue-contract/sample-queue.ts";
import { QUEUE_DEFAULTS } from "../queue.ts";
import { restoreTurns } from "./restore-turns.ts";

const postgres = engineNamed("postgres");

const onError = (error: unknown): void => assert.ifError(error);

test("restoring turns makes copied jobs claimable once each, no matter how often it runs", () =>
  withQueue(postgres, {}, async ({ database, takeId }) => {
    const row = (key: string, lane: string, group: string, state: string): string =>
      `('${key}', 'k', '${lane}', '${group}', 0, '{}', '${state}', 1, 1, 1)`;
    await database.query(
      `insert into jobs (key, kind, lane, job_group, priority, payload, state, due_at, run_at, created_at)
       values ${[
         row("1", "review", "acme", "ready"),
         row("2", "review", "acme", "ready"),
         row("3", "event", "acme", "ready"),
         row("4", "review", "shop", "ready"),
         row("5", "review", "done", "done"),
         row("6", "only:here", "acme", "ready"),
       ].join(", ")}`,
    );
    await database.query(
      "insert into job_turns (lane, job_group, is_shared, is_waiting, turn) values ('review', 'acme', 1, 0, 7)",
    );
    const entries = async () =>
      (await database.query<{ count: number }>("select count(*) as count from kodiai_queue.job"))[0]?.count;
    assert.equal(await entries(), 0);
    for (let times = 0; times < 3; times++) await restoreTurns({ database, onError });
    const waiting = await database.query(
      "select lane, job_group from job_turns where is_waiting = 1 order by lane, job_group",
    );
    assert.deepEqual(
      waiting.map(({ lane, job_group: group }) => `${String(lane)} ${String(group)}`),
      ["event acme", "review acme", "review shop"],
    );
    assert.equal(await entries(), 3);
    const taken: (number | null)[] = [];
    for (let times = 0; times < 5; times++) taken.push(await takeId());
    assert.equal(taken.at(-1), null);
    assert.deepEqual(new Set(taken), new Set([1, 2, 3, 4, null]));
    assert.equal(await takeId(["only:here"]), 6);
  }));

test("turns lost with pg-boss's schema are restored at the next start", () =>
  withStore(postgres, async (store) => {
    const first = await postgres.openQueue(store, QUEUE_DEFAULTS, store.now);
    const requests = ["a", "b", "b"].map((group) => requestOf({ group }));
    const added = await store.database.transaction((sql) => first.enqueue(requests, sql));
    await first.close();
    await store.database.query("drop schema kodiai_queue cascade");
    const second = await postgres.openQueue(store, QUEUE_DEFAULTS, store.now);
    const taken: (number | null)[] = [];
    for (let times = 0; times < 4; times++) {
      taken.push((await second.claim({ worker: "w", lanes: null }))?.job.id ?? null);
    }
    await second.close();
    assert.deepEqual(new Set(taken), new Set([...idsOf(added), null]));
  }));

test("the next clean-up restores a lost turn", () =>
  withQueue(postgres, {}, async ({ database, queue, add, takeId, now }) => {
    const [first, second] = idsOf(await add({ group: "a" }, { group: "b" }));
    await database.query("delete from kodiai_queue.job");
    assert.equal(await takeId(), null);
    await queue.prune(now());
    assert.deepEqual(new Set([await takeId(), await takeId()]), new Set([first, second]));
    const entries = await database.query("select id from kodiai_queue.job");
    await queue.prune(now());
    assert.equal((await database.query("select id from kodiai_queue.job")).length, entries.length);
  }));
