import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { countTimeouts, recordTimeout } from "./timeouts.ts";

for (const engine of ENGINES) {
  test(`${engine.name}: timeouts are counted per repository and author since a time, once per run`, () =>
    withStore(engine, async ({ database }) => {
      const ada = { repositoryId: 5_000_000_001, author: "ada" };
      for (const [runId, at] of [
        [1, 99],
        [2, 100],
        [3, 200],
        [3, 300],
      ] as const)
        await recordTimeout({ ...ada, runId, at }, database);
      await recordTimeout({ ...ada, author: "grace", runId: 4, at: 200 }, database);
      await recordTimeout({ ...ada, repositoryId: 2, runId: 5, at: 200 }, database);
      assert.equal(await countTimeouts({ ...ada, sinceMs: 100 }, database), 2);
      assert.equal(await countTimeouts({ ...ada, sinceMs: 0 }, database), 3);
      assert.equal(await countTimeouts({ ...ada, sinceMs: 201 }, database), 0);
      assert.equal(await countTimeouts({ ...ada, author: "linus", sinceMs: 0 }, database), 0);
    }));
}
