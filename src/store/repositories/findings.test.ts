import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { Sql } from "../database.ts";
import {
  appendEvents,
  type FindingRow,
  insertPending,
  type LedgerScope,
  markReported,
  readLedger,
  writeLedger,
  writeVerdict,
} from "./findings.ts";

const row: FindingRow = {
  identity: "one",
  number: 1,
  path: "src/a.ts",
  side: "new",
  startLine: 3,
  endLine: 4,
  others: '[{"identity":"other","side":"new","startLine":9,"endLine":9}]',
  severity: "major",
  category: "correctness",
  title: "A title",
  words: '["word"]',
  rule: "empty-catch",
  source: "floor",
  sources: '[{"title":"A title","severity":"major"}]',
  state: "open",
};

const placeless: FindingRow = {
  ...row,
  identity: "two",
  number: 2,
  side: null,
  startLine: null,
  endLine: null,
  rule: null,
  sources: null,
};

const scope: LedgerScope = { runId: 1, repositoryId: 5_000_000_000, pullRequest: 7, head: "aaa" };

/** The findings that a later run sees, without what people said about them. */
async function ledger(database: Sql, runId = 99): Promise<readonly FindingRow[]> {
  const rows = await readLedger({ ...scope, runId }, database);
  return rows.map(({ verdict: _verdict, ...finding }) => finding);
}

async function identities(database: Sql, runId = 99): Promise<readonly string[]> {
  return (await ledger(database, runId)).map(({ identity }) => identity);
}

/** The columns that the ledger writes and doesn't return. */
async function stored(database: Sql) {
  const rows = await database.query(
    "select identity, run_id, head, placement, told_at, told_by_run from findings order by identity",
  );
  return rows.map((each) => ({ ...each }));
}

for (const engine of ENGINES) {
  test(`${engine.name}: reported findings are read by number with all their fields, only those of the pull request`, () =>
    withStore(engine, async ({ database }) => {
      const published = { ...scope, at: 100 };
      await writeLedger(
        [
          { ...placeless, placement: "summary" },
          { ...row, placement: "inline" },
        ],
        published,
        database,
      );
      await writeLedger([{ ...row, placement: "inline" }], { ...published, pullRequest: 8 }, database);
      await writeLedger([{ ...row, placement: "inline" }], { ...published, repositoryId: 1 }, database);
      assert.deepEqual(await ledger(database), [row, placeless]);
      // A run that restarts doesn't mistake its own findings for another run's.
      assert.deepEqual(await ledger(database, scope.runId), []);
    }));

  test(`${engine.name}: a finding counts as reported only once it is published`, () =>
    withStore(engine, async ({ database }) => {
      await insertPending([{ ...row, placement: "inline" }], scope, database);
      assert.deepEqual(await identities(database), []);
      await writeLedger([{ ...row, placement: "inline" }], { ...scope, at: 100 }, database);
      assert.deepEqual(await identities(database), ["one"]);
      assert.deepEqual(await stored(database), [
        { identity: "one", run_id: 1, head: "aaa", placement: "inline", told_at: 100, told_by_run: 1 },
      ]);
    }));

  test(`${engine.name}: a pending finding is replaced by the next attempt, a reported one isn't`, () =>
    withStore(engine, async ({ database }) => {
      const retry = { ...scope, runId: 2, head: "bbb" };
      await insertPending([{ ...row, placement: "inline" }], scope, database);
      await insertPending([{ ...row, startLine: 5, placement: "details" }], retry, database);
      await writeLedger([{ ...row, startLine: 5, placement: "details" }], { ...retry, at: 200 }, database);
      const again = { ...scope, runId: 3, head: "ccc" };
      await insertPending([{ ...row, title: "Not published", placement: "inline" }], again, database);
      assert.deepEqual(await ledger(database), [{ ...row, startLine: 5 }]);
      assert.deepEqual(await stored(database), [
        { identity: "one", run_id: 2, head: "bbb", placement: "details", told_at: 200, told_by_run: 2 },
      ]);
    }));

  test(`${engine.name}: a finding of an earlier run moves, is judged anew and changes its state, and keeps its number, text and report`, () =>
    withStore(engine, async ({ database }) => {
      await writeLedger([{ ...row, placement: "inline" }], { ...scope, at: 100 }, database);
      const moved = {
        ...row,
        path: "src/b.ts",
        startLine: 30,
        endLine: 31,
        others: "[]",
        severity: "critical",
        sources: '[{"title":"Another"}]',
        state: "addressed",
      };
      await writeLedger(
        [{ ...moved, placement: null }],
        { ...scope, runId: 2, head: "bbb", at: 200 },
        database,
      );
      assert.deepEqual(await ledger(database), [moved]);
      assert.deepEqual(await stored(database), [
        { identity: "one", run_id: 1, head: "aaa", placement: "inline", told_at: 100, told_by_run: 1 },
      ]);
      assert.deepEqual(await identities(database, 2), ["one"]);
    }));

  test(`${engine.name}: a person's verdict is the state of a finding until it is gone, whatever reviews write`, () =>
    withStore(engine, async ({ database }) => {
      const published = { ...scope, at: 100 };
      await writeLedger([{ ...row, placement: "inline" }], published, database);
      const verdict = { state: "contested", by: "ben", reason: "wanted", url: "https://a", at: 150 } as const;
      await writeVerdict({ ...verdict, identity: "one" }, scope, database);
      // A review that began before it.
      await writeLedger([{ ...row, placement: null }], { ...scope, runId: 2, at: 200 }, database);
      const read = async () => {
        const [found] = await readLedger({ ...scope, runId: 99 }, database);
        return [found?.state, found?.verdict];
      };
      assert.deepEqual(await read(), ["contested", verdict]);
      const opposite = { ...verdict, state: "waived", by: "cem", reason: "", at: 300 } as const;
      await writeVerdict({ ...opposite, identity: "one" }, scope, database);
      assert.deepEqual(await read(), ["waived", opposite]);
      const gone = { ...row, state: "verified", placement: null };
      await writeLedger([gone], { ...scope, runId: 3, at: 400 }, database);
      assert.deepEqual(await read(), ["verified", opposite]);
      const events = await database.query(
        "select state, reason, actor, run_id, head, at from finding_events",
      );
      assert.deepEqual(
        events.map((each) => Object.values(each)),
        [
          ["contested", "wanted", "ben", 1, "aaa", 150],
          ["waived", "", "cem", 1, "aaa", 300],
        ],
      );
    }));

  test(`${engine.name}: a finding that is reported again after it was resolved is one row with its number`, () =>
    withStore(engine, async ({ database }) => {
      const later = { ...scope, runId: 2, head: "bbb" };
      await writeLedger([{ ...row, placement: "inline" }], { ...scope, at: 100 }, database);
      await writeLedger([{ ...row, state: "verified", placement: null }], { ...later, at: 200 }, database);
      assert.deepEqual(
        (await ledger(database)).map(({ state }) => state),
        ["verified"],
      );
      const back = { ...scope, runId: 3, head: "ccc", at: 300 };
      await writeLedger([{ ...row, title: "Again", placement: "inline" }], back, database);
      assert.deepEqual(await ledger(database), [{ ...row, title: "Again" }]);
      assert.deepEqual(await stored(database), [
        { identity: "one", run_id: 3, head: "ccc", placement: "inline", told_at: 300, told_by_run: 3 },
      ]);
    }));

  test(`${engine.name}: when a run can't record its report, only findings with a visible comment count as reported`, () =>
    withStore(engine, async ({ database }) => {
      await insertPending(
        [
          { ...row, placement: "inline" },
          { ...placeless, placement: "summary" },
        ],
        scope,
        database,
      );
      await markReported(2, 100, database);
      assert.deepEqual(await identities(database), []);
      await markReported(scope.runId, 100, database);
      assert.deepEqual(await identities(database), ["one"]);
    }));

  test(`${engine.name}: events are only added, each with its run, head and time`, () =>
    withStore(engine, async ({ database }) => {
      const reported = { identity: "one", state: "open", reason: "reported", actor: "kodiai" };
      const waived = {
        identity: "one",
        state: "waived",
        reason: "a person resolved its thread",
        actor: "person",
      };
      await appendEvents([reported, { ...reported, identity: "two" }], { ...scope, at: 100 }, database);
      await appendEvents([waived], { ...scope, runId: 2, head: "bbb", at: 200 }, database);
      const rows = await database.query(
        `select identity, state, reason, actor, run_id, head, at from finding_events
         where repository_id = $1 and pull_request = $2 order by id`,
        [scope.repositoryId, scope.pullRequest],
      );
      assert.deepEqual(
        rows.map((each) => ({ ...each })),
        [
          { ...reported, run_id: 1, head: "aaa", at: 100 },
          { ...reported, identity: "two", run_id: 1, head: "aaa", at: 100 },
          { ...waived, run_id: 2, head: "bbb", at: 200 },
        ],
      );
    }));
}
