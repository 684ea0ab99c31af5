import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { Feedback } from "../../memory/feedback.ts";
import type { Sql } from "../database.ts";
import {
  deleteFeedbackPoll,
  type FeedbackPoll,
  readFeedbackPoll,
  takeDuePolls,
  writeFeedbackPoll,
} from "./feedback-polls.ts";
import { readFeedback, readFeedbackOf, syncFeedback } from "./feedback.ts";
import { writeLedger } from "./findings.ts";
import { insertSuppression, readSuppressions, undoSuppression } from "./suppressions.ts";

const scope = { repositoryId: 5_000_000_000, pullRequest: 7 };

const down: Feedback = {
  pullRequest: 7,
  identity: "one",
  pattern: "rule:empty-catch",
  title: "A title",
  signal: "thumbs-down",
  person: "ann",
  teaches: true,
  reason: "write-access",
  words: "we never await it",
  url: "https://github.test/c/1",
  at: 100,
};
const authors: Feedback = { ...down, person: "bob", teaches: false, reason: "author", url: null, at: 90 };

async function events(database: Sql) {
  const rows = await database.query(
    "select identity, run_id, head, state, reason, actor, at from finding_events order by id",
  );
  return rows.map((row) => Object.values(row).join(" "));
}

for (const engine of ENGINES) {
  test(`${engine.name}: signals are replaced, keep their time, and leave events in the ledger`, () =>
    withStore(engine, async ({ database }) => {
      const finding = {
        identity: "one",
        number: 1,
        path: "a.ts",
        side: "new",
        startLine: 1,
        endLine: 1,
        others: "[]",
        severity: "major",
        category: "correctness",
        title: "A title",
        words: "[]",
        rule: "empty-catch",
        source: "floor",
        state: "open",
        placement: "inline",
      } as const;
      await writeLedger([finding], { ...scope, runId: 4, head: "aaa", at: 1 }, database);
      const sync = (rows: readonly Feedback[], at: number) =>
        database.transaction((sql) => syncFeedback({ ...scope, rows, at }, sql));

      assert.equal(await sync([down, authors], 200), 2);
      assert.deepEqual(await readFeedbackOf(scope, database), [authors, down]);
      assert.deepEqual(await readFeedback(scope.repositoryId, database), [{ ...down, about: null }]);
      assert.deepEqual(await readFeedback(1, database), []);

      // The author is no longer the author, and a time that only we know stays.
      const now: Feedback = { ...authors, teaches: true, reason: "write-access", at: 300 };
      assert.equal(await sync([down, now], 300), 1, "it teaches now");
      assert.deepEqual(await readFeedback(scope.repositoryId, database), [
        { ...down, about: null },
        { ...now, at: 90, about: null },
      ]);

      assert.equal(await sync([now], 400), 1);
      assert.deepEqual(await readFeedback(scope.repositoryId, database), [{ ...now, at: 90, about: null }]);
      assert.equal(await sync([], 500), 1);
      assert.deepEqual(await events(database), [
        "one 4 aaa open feedback:thumbs-down ann 200",
        "one 4 aaa open feedback:thumbs-down bob 200",
        "one 4 aaa open feedback:thumbs-down-removed ann 400",
        "one 4 aaa open feedback:thumbs-down-removed bob 500",
      ]);
    }));

  test(`${engine.name}: a pattern has one suppression in force, which can be undone once`, () =>
    withStore(engine, async ({ database }) => {
      const made = { ...scope, pattern: "rule:empty-catch", title: "A title", at: 100, expiresAt: 200 };
      await insertSuppression(made, database);
      await insertSuppression(made, database);
      await insertSuppression({ ...made, pattern: "rule:other" }, database);
      await insertSuppression({ ...made, at: 200, expiresAt: 300 }, database);
      await insertSuppression({ ...made, repositoryId: 1 }, database);
      const before = await readSuppressions(scope.repositoryId, database);
      assert.deepEqual(
        before.map(({ pattern, createdAt, undoneAt }) => [pattern, createdAt, undoneAt]),
        [
          ["rule:empty-catch", 200, null],
          ["rule:other", 100, null],
          ["rule:empty-catch", 100, null],
        ],
      );
      const [newest] = before;
      assert.ok(newest !== undefined);
      assert.equal(await undoSuppression(newest.id, "ann", 250, database), true);
      assert.equal(await undoSuppression(newest.id, "bob", 260, database), false);
      const [undone] = await readSuppressions(scope.repositoryId, database);
      assert.deepEqual(undone, { ...newest, undoneAt: 250, undoneBy: "ann" });
      await insertSuppression({ ...made, at: 251, expiresAt: 400 }, database);
      assert.equal((await readSuppressions(scope.repositoryId, database)).length, 4);
    }));

  test(`${engine.name}: due polls are returned once, the longest overdue first`, () =>
    withStore(engine, async ({ database }) => {
      const poll: FeedbackPoll = {
        ...scope,
        installationId: 3,
        repository: "acme/shop",
        closedAt: null,
        changedAt: 10,
        nextAt: 50,
      };
      await writeFeedbackPoll(poll, database);
      await writeFeedbackPoll({ ...poll, pullRequest: 8, nextAt: 40 }, database);
      await writeFeedbackPoll({ ...poll, pullRequest: 9, nextAt: 101 }, database);
      const take = (limit: number) =>
        database.transaction((sql) => takeDuePolls({ now: 100, putOffUntil: 1_000, limit }, sql));
      assert.deepEqual(
        (await take(1)).map(({ pullRequest }) => pullRequest),
        [8],
      );
      assert.deepEqual(await take(10), [poll]);
      assert.deepEqual(await take(10), []);
      const closed = { ...poll, repository: "acme/store", closedAt: 60, changedAt: 60, nextAt: 70 };
      await writeFeedbackPoll(closed, database);
      assert.deepEqual(await readFeedbackPoll(scope.repositoryId, 7, database), closed);
      await deleteFeedbackPoll(scope.repositoryId, 7, database);
      assert.equal(await readFeedbackPoll(scope.repositoryId, 7, database), null);
    }));
}
