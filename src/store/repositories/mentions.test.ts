import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import {
  claimMention,
  countOtherTurns,
  countTurn,
  endMention,
  lockMention,
  readStanding,
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
      const others7 = { isWriter: false, sinceMs: 0 };
      assert.equal(await countOtherTurns(key, others7, database), 1);
      assert.equal(await countOtherTurns({ ...key, request: "new" }, others7, database), 2);
      assert.equal(await countOtherTurns(key, { ...others7, sinceMs: mention.at }, database), 0);
      assert.equal(await countOtherTurns(key, { isWriter: true, sinceMs: 0 }, database), 0);
      // In the whole repository.
      assert.equal(await countOtherTurns(key, { login: mention.login, sinceMs: 0 }, database), 2);
      assert.equal(await countOtherTurns(key, { login: "eve", sinceMs: 0 }, database), 0);
      // Only delivered answers stay counted.
      await endMention({ ...key, request: "c2" }, { outcome: "failed:timeout", at: 200 }, database);
      await endMention({ ...key, request: "c4", number: 8 }, { outcome: "answered:ask", at: 200 }, database);
      assert.equal(await countOtherTurns(key, others7, database), 0);
      assert.equal(await countOtherTurns(key, { login: mention.login, sinceMs: 0 }, database), 1);
    }));

  test(`${engine.name}: a person's refused and open mentions in the repository are counted`, () =>
    withStore(engine, async ({ database }) => {
      const outcomes = ["refused:no-write-access", "refused:muted", "answered:help", null, null];
      for (const [index, outcome] of outcomes.entries()) {
        const each = { ...mention, number: index, request: `c${index}` };
        await claimMention(each, database);
        if (outcome !== null) await endMention(each, { outcome, at: 200 }, database);
      }
      const own = { ...key, number: 4, request: "c4" };
      const person = { login: mention.login, sinceMs: 0 };
      assert.deepEqual(await readStanding(own, person, database), { refused: 1, open: 1 });
      assert.deepEqual(await readStanding(own, { ...person, sinceMs: mention.at }, database), {
        refused: 0,
        open: 0,
      });
      assert.deepEqual(await readStanding(own, { ...person, login: "eve" }, database), {
        refused: 0,
        open: 0,
      });
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
