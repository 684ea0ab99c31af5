import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { Database } from "../database.ts";
import { appendEvents, insertPending, markReported, type ReportedRow, writeLedger } from "./findings.ts";
import { claimRun, finishRun } from "./runs.ts";
import type { RunStatus } from "./to-run.ts";
import { readFindingEvents, readStoredFindings } from "./stored-findings.ts";

const key = { repositoryId: 2, pullRequest: 7 };

const row = (identity: string, number: number): ReportedRow => ({
  identity,
  number,
  path: "a.ts",
  side: "new",
  startLine: 1,
  endLine: 2,
  others: "[]",
  severity: "major",
  category: "correctness",
  title: "t",
  words: "[]",
  rule: null,
  source: "model",
  state: "open",
  placement: "inline",
  suggestion: null,
});

async function startRun(jobId: number, head: string, database: Database) {
  const request = { ...key, jobId, installationId: 1, repository: "acme/shop", base: "b", head };
  const run = await claimRun({ ...request, triggers: "opened", startedAt: jobId }, database);
  const scope = { ...key, runId: run.id, head, at: jobId };
  const end = (status: Exclude<RunStatus, "pending" | "running">) =>
    finishRun(
      run.id,
      { status, reason: null, findingsTotal: 1, findingsReported: 1, finishedAt: jobId },
      database,
    );
  return { scope, end };
}

const headsOf = async (database: Database) =>
  (await readStoredFindings(key, database)).map(({ number, head, startLine }) => [number, head, startLine]);

for (const engine of ENGINES) {
  test(`${engine.name}: the place of a finding counts lines of the last review that moved it`, () =>
    withStore(engine, async ({ database }) => {
      const first = await startRun(1, "one", database);
      await writeLedger([row("f", 1)], first.scope, database);
      await first.end("completed");
      assert.deepEqual(await headsOf(database), [[1, "one", 1]]);
      const second = await startRun(2, "two", database);
      await writeLedger([{ ...row("f", 1), startLine: 9, placement: null }], second.scope, database);
      await second.end("partial");
      assert.deepEqual(await headsOf(database), [[1, "two", 9]]);
      // An answer to a mention has moved nothing.
      const answer = await startRun(3, "", database);
      await answer.end("answered");
      // Its process crashed after publishing: no review has finished that knows the finding.
      const crashed = await startRun(4, "four", database);
      await insertPending([row("g", 2)], crashed.scope, database);
      assert.equal((await headsOf(database)).length, 1);
      await markReported(crashed.scope.runId, 4, database);
      assert.deepEqual(await headsOf(database), [
        [1, "two", 9],
        [2, "four", 1],
      ]);
    }));

  test(`${engine.name}: the events of one finding come oldest first`, () =>
    withStore(engine, async ({ database }) => {
      const { scope } = await startRun(1, "one", database);
      const event = { identity: "f", actor: "kodiai", reason: "reported", state: "open" };
      await appendEvents([event, { ...event, identity: "g" }], scope, database);
      await appendEvents(
        [{ ...event, actor: "ada", state: "waived", reason: "fine" }],
        { ...scope, at: 2 },
        database,
      );
      const events = await readFindingEvents({ ...key, identity: "f" }, database);
      assert.deepEqual(
        events.map(({ state, actor, head, at }) => [state, actor, head, at]),
        [
          ["open", "kodiai", "one", 1],
          ["waived", "ada", "one", 2],
        ],
      );
    }));
}
