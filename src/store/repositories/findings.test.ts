import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { Sql } from "../database.ts";
import { type FindingRow, rememberFindings, readReportedFindings, type ReportedQuery } from "./findings.ts";
import { claimRun } from "./runs.ts";

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
  reportedAt: 100,
};

const key = { repositoryId: row.repositoryId, pullRequest: row.pullRequest, head: row.head };

/** Creates a run that reviewed this head and returns its id. */
async function runAt(head: string, database: Sql): Promise<number> {
  const { repositoryId, pullRequest } = row;
  const scope = { installationId: 1, repository: "acme/shop", repositoryId, pullRequest };
  const run = { ...scope, jobId: 1, base: "b", head, triggers: "opened", startedAt: 1 };
  return (await claimRun(run, database)).id;
}

async function reported(database: Sql, request: ReportedQuery): Promise<readonly string[]> {
  const found = await readReportedFindings(request, database);
  return found.map(({ identity, isOnlyListed }) => (isOnlyListed ? `${identity} (listed)` : identity));
}

for (const engine of ENGINES) {
  test(`${engine.name}: reported findings are returned, and those only listed in the details of another head are marked`, () =>
    withStore(engine, async ({ database }) => {
      const [here, earlier] = [await runAt("aaa", database), await runAt("zzz", database)];
      await rememberFindings(
        [
          { ...row, runId: earlier },
          {
            ...row,
            runId: earlier,
            identity: "two",
            placement: "summary",
            side: null,
            startLine: null,
            endLine: null,
          },
          { ...row, identity: "three", placement: "details", runId: here },
          { ...row, identity: "three before", placement: "details", runId: earlier },
          { ...row, identity: "four", placement: "inline", reportedAt: null },
          { ...row, identity: "five", pullRequest: 8 },
          { ...row, identity: "six", repositoryId: 1 },
        ],
        database,
      );
      assert.deepEqual(await reported(database, { ...key, exceptRunId: 99 }), [
        "one",
        "three",
        "three before (listed)",
        "two",
      ]);
      // A run that restarts lists its own findings again.
      assert.deepEqual(await reported(database, { ...key, exceptRunId: here }), [
        "one",
        "three before (listed)",
        "two",
      ]);
    }));

  test(`${engine.name}: a listed finding counts as reported inline once it has a comment`, () =>
    withStore(engine, async ({ database }) => {
      const [first, second] = [await runAt("aaa", database), await runAt("bbb", database)];
      const later = { ...row, runId: second, head: "bbb" };
      const next = { ...key, head: "bbb", exceptRunId: 99 };
      await rememberFindings([{ ...row, runId: first, placement: "details" }], database);
      assert.deepEqual(await reported(database, next), ["one (listed)"]);
      await rememberFindings([{ ...later, reportedAt: null }], database);
      assert.deepEqual(await reported(database, next), [], "it is not there yet");
      await rememberFindings([{ ...later, reportedAt: 200 }], database);
      assert.deepEqual(await reported(database, { ...next, head: "ccc" }), ["one"]);
    }));

  test(`${engine.name}: a reported finding keeps the time and the run of its first report`, () =>
    withStore(engine, async ({ database }) => {
      await rememberFindings([{ ...row, placement: "details" }], database);
      assert.deepEqual(await reported(database, { ...key, exceptRunId: 99 }), ["one (listed)"]);
      await rememberFindings([{ ...row, runId: 2, reportedAt: 200 }], database);
      await rememberFindings(
        [{ ...row, runId: 3, reportedAt: 300, head: "bbb", placement: "details" }],
        database,
      );
      await rememberFindings([{ ...row, runId: 4, reportedAt: 400, head: "ccc", startLine: 9 }], database);
      const rows = await database.query(
        "select head, start_line, placement, told_at, told_by_run, state from findings",
      );
      assert.deepEqual(
        rows.map((each) => ({ ...each })),
        [{ head: "ccc", start_line: 9, placement: "inline", told_at: 200, told_by_run: 2, state: "open" }],
      );
      assert.deepEqual(await reported(database, { ...key, exceptRunId: 4 }), ["one"]);
      // A run that restarts doesn't mistake its own findings for another run's.
      assert.deepEqual(await reported(database, { ...key, exceptRunId: 2 }), []);
    }));
}
