import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { deleteSeenHeadsBefore, readHeadsBefore, saveSeenHeads } from "./seen-heads.ts";

const key = { repositoryId: 5_000_000_000, pullRequest: 7 };
const at = (seenAt: number, head: string) => ({ ...key, seenAt, head });

for (const engine of ENGINES) {
  test(`${engine.name}: the last head before a time is found, and two at the same time are both`, () =>
    withStore(engine, async ({ database }) => {
      await saveSeenHeads([at(100, "a"), at(200, "b"), at(300, "a"), at(300, "c"), at(100, "a")], database);
      await saveSeenHeads([at(200, "b"), { ...at(150, "other"), pullRequest: 8 }], database);
      const before = async (time: number) => [...(await readHeadsBefore(key, time, database))].toSorted();
      assert.deepEqual(await before(100), []);
      assert.deepEqual(await before(101), ["a"]);
      assert.deepEqual(await before(200), ["a"], "at the same time is not before");
      assert.deepEqual(await before(300), ["b"]);
      assert.deepEqual(await before(400), ["a", "c"]);
      await deleteSeenHeadsBefore(300, database);
      assert.deepEqual(await before(300), []);
      assert.deepEqual(await before(301), ["a", "c"]);
    }));
}
