import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES } from "../../../test/support/queue-contract/engines.ts";
import { withQueue } from "../../../test/support/queue-contract/sample-queue.ts";
import { readWorkers } from "./read-workers.ts";

for (const engine of ENGINES)
  test(`${engine.name}: workers count by their heartbeats, and a job whose worker is silent is lost`, () =>
    withQueue(engine, { leaseMs: 60_000 }, async ({ queue, database, add, take, pass, now }) => {
      const read = () => readWorkers(now(), database);
      assert.deepEqual(await read(), { alive: 0, lostJobs: 0 });
      await add({}, {}, {});
      const first = await take(null, "one");
      await take(null, "one");
      await take(null, "two");
      assert.deepEqual(await read(), { alive: 2, lostJobs: 0 });
      pass(40_000);
      await queue.heartbeat(first, "reviewing");
      pass(40_000);
      assert.deepEqual(await read(), { alive: 1, lostJobs: 2 });
    }));
