import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import {
  claimMention,
  countOtherTurns,
  countTurn,
  endMention,
  lockMention,
  recordClass,
  saveResult,
} from "./mentions.ts";
import { deletePause, readPause, setPause } from "./pauses.ts";

const key = { repositoryId: 5_000_000_000, number: 7, request: "c1" };
const mention = { ...key, login: "ada", command: "help", at: 100 };

for (const engine of ENGINES) {
  test(`${engine.name}: a mention is claimed once, and its first result and outcome stay`, () =>
    withStore(engine, async ({ database }) => {
      const fresh = { requesterClass: null, outcome: null, isTurn: false, result: null };
      assert.deepEqual(await claimMention(mention, database), { ...mention, ...fresh });
      assert.deepEqual(await lockMention(key, database), { result: null, outcome: null });
      await saveResult(key, "first", database);
      await saveResult(key, "second", database);
      assert.deepEqual(await lockMention(key, database), { result: "first", outcome: null });
      await recordClass({ ...key, requesterClass: "writer" }, database);
      await endMention(key, { outcome: "done:one", at: 200 }, database);
      await endMention(key, { outcome: "done:two", at: 300 }, database);
      assert.deepEqual(await claimMention({ ...mention, login: "eve", at: 400 }, database), {
        ...mention,
        requesterClass: "writer",
        outcome: "done:one",
        isTurn: false,
        // It was only needed until the end.
        result: null,
      });
    }));

  test(`${engine.name}: the other turns of the same issue are counted`, () =>
    withStore(engine, async ({ database }) => {
      const others = [
        { ...mention, request: "c2" },
        { ...mention, request: "c3" },
        { ...mention, request: "c4", number: 8 },
        { ...mention, request: "c5", repositoryId: 6 },
      ];
      for (const each of [mention, ...others]) {
        await claimMention(each, database);
        if (each.request !== "c3") await countTurn({ ...each, requesterClass: "anyone" }, database);
      }
      assert.equal(await countOtherTurns(key, database), 1);
      assert.equal(await countOtherTurns({ ...key, request: "new" }, database), 2);
    }));

  test(`${engine.name}: the first pause stays until it is deleted`, () =>
    withStore(engine, async ({ database }) => {
      const paused = { repositoryId: 5_000_000_000, pullRequest: 7 };
      assert.equal(await deletePause(paused, database), false);
      await setPause(paused, { login: "ada", at: 100 }, database);
      await setPause(paused, { login: "eve", at: 200 }, database);
      assert.deepEqual(await readPause(paused, database), { login: "ada", at: 100 });
      assert.equal(await readPause({ ...paused, pullRequest: 8 }, database), null);
      assert.equal(await deletePause(paused, database), true);
      assert.equal(await readPause(paused, database), null);
    }));
}
