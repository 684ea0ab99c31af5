import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isAll } from "../../../test/support/extent.ts";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { DAY_MS } from "../../base/day-ms.ts";
import type { Database } from "../database.ts";
import {
  addUpFindings,
  countReportedRows,
  type FindingCounts,
  readFindingCounts,
  refreshDailyFindings,
  type ReportedFindingRow,
} from "./daily-findings.ts";
import { insertPending, markMerged, markReported, writeLedger } from "./findings.ts";
import { claimRun, finishRun } from "./runs.ts";
import { deleteMemoryOf } from "./stored-memory.ts";
import { deleteRepository } from "./stored-repositories.ts";

const REPOSITORIES = [1, 2, 3] as const;
const FIRST_DAY = 20_000;

const STEP = fc.record({
  // Most steps add something, so that there is something to change.
  kind: fc.constantFrom(
    ...(["review", "review", "remember", "remember", "outcome", "state", "again"] as const),
    ...(["merge", "mode", "refresh", "refresh", "crash", "delete", "forget"] as const),
  ),
  repositoryId: fc.constantFrom(...REPOSITORIES),
  day: fc.nat(3),
  n: fc.nat(999),
});

type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

const OUTCOMES = ["accepted", "dismissed", "ignored", "open"] as const;
const STATES = ["open", "addressed", "verified", "waived"] as const;

const pick = <Value>(values: readonly Value[], n: number): Value => values[n % values.length] as Value;
const timeOf = ({ day, n }: Step): number => (FIRST_DAY + day) * DAY_MS + n * 60_000;

let jobs = 0;

const rowOf = (n: number) => ({
  number: 1,
  path: "a.ts",
  side: null,
  startLine: null,
  endLine: null,
  others: "[]",
  words: "[]",
  severity: pick(["critical", "minor"], n),
  category: pick(["style", "security"], n),
  title: "t",
  rule: null,
  source: pick(["model", "floor"], n),
  sources: n % 3 === 0 ? null : JSON.stringify([{ confidence: (n % 10) / 10 }]),
  state: pick(STATES, n),
  placement: "inline",
});

async function review(step: Step, database: Database): Promise<void> {
  const { repositoryId, n } = step;
  const startedAt = timeOf(step);
  const [jobId, pullRequest] = [++jobs, jobs];
  const ofRepository = { installationId: 1, repositoryId, repository: `acme/r${repositoryId}` };
  const run = await claimRun(
    { ...ofRepository, jobId, pullRequest, base: "b", head: "h", triggers: "", startedAt },
    database,
  );
  const scope = { runId: run.id, repositoryId, pullRequest, head: "h" };
  const rows = [
    { ...rowOf(n), identity: "f0" },
    { ...rowOf(n + 1), identity: "f1" },
  ];
  await insertPending(rows, scope, database);
  if (n % 5 > 0) await markReported(run.id, startedAt + 1_000, database);
  const counts = { reason: null, findingsTotal: 2, findingsReported: 2, finishedAt: startedAt + 2_000 };
  const mode = n % 4 === 0 ? {} : { mode: pick(["strict", "lenient"], n) };
  if (n % 7 > 0) await finishRun(run.id, { status: "completed", ...counts, ...mode }, database);
}

async function take(step: Step, database: Database): Promise<void> {
  const { kind, repositoryId, n } = step;
  const mine = "repository_id = $1";
  switch (kind) {
    case "review":
      return review(step, database);
    case "remember":
      await database.query(
        `insert into memories (repository_id, pull_request, identity, pattern, title, body, path, language, category, severity,
           outcome, terms, created_at, updated_at)
         select repository_id, pull_request, identity, 'p', title, 'b', path, 'typescript', category, severity, $2, 1, 1, 1
         from findings where ${mine} and identity = $3 order by id desc limit 1
         on conflict (repository_id, pull_request, identity) do update set outcome = excluded.outcome`,
        [repositoryId, pick(OUTCOMES, n), pick(["f0", "f1"], n)],
      );
      return;
    case "outcome":
      await database.query(`update memories set outcome = $2 where ${mine}`, [
        repositoryId,
        pick(OUTCOMES, n),
      ]);
      return;
    case "state":
      await database.query(`update findings set state = $2 where ${mine} and id % 2 = 0`, [
        repositoryId,
        pick(STATES, n),
      ]);
      return;
    case "again": {
      const [found] = await database.query<{ pull_request: number; run_id: number }>(
        `select pull_request, run_id from findings where ${mine} order by id limit 1`,
        [repositoryId],
      );
      if (found === undefined) return;
      const scope = { runId: found.run_id, repositoryId, pullRequest: found.pull_request, head: "h2" };
      const at = timeOf(step);
      await writeLedger([{ ...rowOf(n), identity: "f0" }], { ...scope, at }, database);
      return;
    }
    case "merge": {
      const [found] = await database.query<{ pull_request: number }>(
        `select pull_request from findings where ${mine} order by id desc limit 1`,
        [repositoryId],
      );
      if (found === undefined) return;
      return markMerged({ repositoryId, pullRequest: found.pull_request, at: timeOf(step) }, database);
    }
    case "mode":
      await database.query(`update runs set mode = $2 where ${mine}`, [
        repositoryId,
        pick(["strict", null], n),
      ]);
      return;
    case "delete":
      return deleteRepository(repositoryId, database);
    case "forget":
      return deleteMemoryOf(repositoryId, database);
    case "crash":
      // As after a crash: the rows and the notes of their days are gone together.
      return assert.rejects(
        database.transaction(async (sql) => {
          await sql.query("update findings set source = 'bump', told_at = told_at + 1");
          await sql.query("delete from memories");
          throw new Error("crash");
        }),
        /crash/,
      );
    case "refresh":
      return refreshDailyFindings(database);
  }
}

/** A plain count of all rows, joined in another language than the queries. */
async function countEverything(sinceMs: number, database: Database) {
  const runs = await database.query<{ id: number; mode: string | null }>("select id, mode from runs");
  const modes = new Map(runs.map(({ id, mode }) => [id, mode]));
  type Key = {
    readonly repository_id: number;
    readonly pull_request: number;
    readonly identity: string;
  };
  const keyOf = (row: Key): string => `${row.repository_id} ${row.pull_request} ${row.identity}`;
  const memories = await database.query<Key & Pick<ReportedFindingRow, "outcome">>("select * from memories");
  const outcomes = new Map(memories.map((row) => [keyOf(row), row.outcome]));
  const found = await database.query<ReportedFindingRow & Key & { readonly run_id: number }>(
    "select * from findings where told_at >= $1",
    [sinceMs],
  );
  const rows = found.map((row) => ({
    ...row,
    mode: modes.get(row.run_id) ?? null,
    outcome: outcomes.get(keyOf(row)) ?? null,
  }));
  return [...Map.groupBy(rows, (row) => row.repository_id)].map(
    ([id, own]) => [id, countReportedRows(own)] as const,
  );
}

const plain = (counts: Iterable<readonly [number, FindingCounts]>) =>
  Object.fromEntries(
    [...counts].map(([id, each]) => [id, [...each].toSorted(([a], [b]) => (a < b ? -1 : 1))]),
  );

/** Each sequence goes on with the data of the ones before, so that there is always much to change. */
const SEQUENCES = isAll ? 25 : 8;

for (const engine of ENGINES) {
  test(`${engine.name}: whatever happens, totals of findings are what a count of all rows gives`, () =>
    withStore(engine, async ({ database }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(STEP, { minLength: 5, maxLength: 25 }),
          fc.constantFrom(0, 0.5, 1, 2),
          async (steps, sinceDays) => {
            for (const step of steps) await take(step, database);
            const sinceMs = (FIRST_DAY + sinceDays) * DAY_MS;
            const read = await readFindingCounts({ sinceMs, readable: "all" }, database);
            assert.deepEqual(plain(read), plain(await countEverything(sinceMs, database)));
          },
        ),
        { numRuns: SEQUENCES, endOnFailure: true },
      );
    }));

  test(`${engine.name}: findings of days without changes aren't read, and a reader sees only their own`, () =>
    withStore(engine, async ({ database }) => {
      const step = { kind: "review", repositoryId: 1, day: 0, n: 11 } as const;
      for (const day of [0, 1]) await review({ ...step, day }, database);
      await review({ ...step, repositoryId: 2 }, database);
      await refreshDailyFindings(database);
      assert.deepEqual(await database.query("select * from changed_finding_days"), []);
      // A total that is read shows what was stored, and not the rows.
      await database.query("update daily_findings set counts = $1 where repository_id = 1 and day = $2", [
        JSON.stringify({ "source/model/open": 1_000 }),
        FIRST_DAY,
      ]);
      const range = { sinceMs: FIRST_DAY * DAY_MS, readable: [1] };
      const counts = await readFindingCounts(range, database);
      assert.deepEqual([...counts.keys()], [1]);
      assert.equal(addUpFindings(counts.values()).get("source/model/open"), 1_000);
      // The next change of the day counts its rows again.
      await review(step, database);
      const changed = addUpFindings((await readFindingCounts(range, database)).values());
      assert.equal(changed.get("source/model/open"), undefined);
      assert.equal(changed.get("source/model/unknown"), 3);
      assert.deepEqual((await readFindingCounts({ ...range, readable: [] }, database)).size, 0);
    }));
}
