import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { Sql } from "../database.ts";
import { type FindingRow, rememberFindings, toldFindings, type ToldRequest } from "./findings.ts";

const row: FindingRow = {
  identity: "one",
  runId: 1,
  repositoryId: 5_000_000_000,
  pullRequest: 7,
  head: "aaa",
  path: "src/a.ts",
  side: "new",
  startLine: 3,
  endLine: 4,
  severity: "major",
  category: "correctness",
  title: "A title",
  rule: "empty-catch",
  source: "floor",
  placement: "inline",
  toldAt: 100,
};

const key = { repositoryId: row.repositoryId, pullRequest: row.pullRequest };

async function told(database: Sql, request: ToldRequest): Promise<readonly string[]> {
  return (await toldFindings(request, database)).map(({ identity }) => identity);
}

for (const engine of ENGINES) {
  test(`${engine.name}: what was told inline or in the summary is told; details and drops are not`, () =>
    withStore(engine, async ({ database }) => {
      await rememberFindings(
        [
          row,
          { ...row, identity: "two", placement: "summary", side: null, startLine: null, endLine: null },
          { ...row, identity: "three", placement: "details" },
          { ...row, identity: "four", placement: "inline", toldAt: null },
          { ...row, identity: "five", pullRequest: 8 },
          { ...row, identity: "six", repositoryId: 1 },
        ],
        database,
      );
      assert.deepEqual(await told(database, { ...key, exceptRunId: 99 }), ["one", "two"]);
    }));

  test(`${engine.name}: a finding stays told, and keeps when and by which run it first was`, () =>
    withStore(engine, async ({ database }) => {
      await rememberFindings([{ ...row, placement: "details" }], database);
      assert.deepEqual(await told(database, { ...key, exceptRunId: 99 }), []);
      await rememberFindings([{ ...row, runId: 2, toldAt: 200 }], database);
      await rememberFindings(
        [{ ...row, runId: 3, toldAt: 300, head: "bbb", placement: "details" }],
        database,
      );
      await rememberFindings([{ ...row, runId: 4, toldAt: 400, head: "ccc", startLine: 9 }], database);
      const rows = await database.query(
        "select head, start_line, placement, told_at, told_by_run, state from findings",
      );
      assert.deepEqual(
        rows.map((each) => ({ ...each })),
        [{ head: "ccc", start_line: 9, placement: "inline", told_at: 200, told_by_run: 2, state: "open" }],
      );
      assert.deepEqual(await told(database, { ...key, exceptRunId: 4 }), ["one"]);
      // A run that starts again does not take its own words for another's.
      assert.deepEqual(await told(database, { ...key, exceptRunId: 2 }), []);
    }));
}
