import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isAll } from "../../../test/support/extent.ts";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { DAY_MS } from "../../base/day-ms.ts";
import type { Database, Row } from "../database.ts";
import { readDailyTokens, sumDegradations, sumModels, refreshDailyStatistics } from "./daily-statistics.ts";
import { addUpCounts, readDailyCosts, readDailyTotals, refreshDailyTotals } from "./daily-totals.ts";
import { insertPending, markReported } from "./findings.ts";
import { claimRun, finishRun } from "./runs.ts";
import { insertSpending, raiseSpending, settleSpending } from "./spendings.ts";
import { deleteMemoryOf } from "./stored-memory.ts";
import { deleteRepository } from "./stored-repositories.ts";
import {
  deleteExpiredTelemetry,
  deleteTelemetryOf,
  recordDegradations,
  recordModelRuns,
} from "./telemetry.ts";

const REPOSITORIES = [1, 2, 3] as const;
const FIRST_DAY = 20_000;

type Step = {
  readonly kind:
    | "review"
    | "again"
    | "answer"
    | "remember"
    | "outcome"
    | "spend"
    | "settle"
    | "measure"
    | "expire"
    | "delete"
    | "forget"
    | "crash"
    | "refresh";
  readonly repositoryId: number;
  readonly day: number;
  readonly n: number;
};

const STEP: fc.Arbitrary<Step> = fc.record({
  // Most steps add something, so that there is something to change.
  kind: fc.constantFrom(
    ...([
      "review",
      "review",
      "remember",
      "spend",
      "measure",
      "outcome",
      "settle",
      "again",
      "answer",
    ] as const),
    ...(["refresh", "refresh", "crash", "expire", "delete", "forget"] as const),
  ),
  repositoryId: fc.constantFrom(...REPOSITORIES),
  day: fc.nat(3),
  n: fc.nat(999),
});

type Stores = { readonly database: Database; readonly telemetry: Database };

let jobs = 0;

const SEVERITIES = ["critical", "must-fix", "major", "medium", "minor"] as const;
const OUTCOMES = ["accepted", "dismissed", "ignored", "open"] as const;
const ENDS = ["completed", "partial", "failed", "skipped", "superseded"] as const;

const pick = <Value>(values: readonly Value[], n: number): Value => values[n % values.length] as Value;
const timeOf = ({ day, n }: Step): number => (FIRST_DAY + day) * DAY_MS + n * 60_000;

async function review(step: Step, database: Database): Promise<void> {
  const { repositoryId, n } = step;
  const startedAt = timeOf(step);
  const jobId = ++jobs;
  const ofRepository = { installationId: 1, repositoryId, repository: `acme/r${repositoryId}` };
  const run = await claimRun(
    { ...ofRepository, jobId, pullRequest: jobId, base: "b", head: "h", triggers: "", startedAt },
    database,
  );
  const scope = { runId: run.id, repositoryId, pullRequest: jobId, head: "h" };
  const row = {
    number: 1,
    path: "a.ts",
    side: null,
    startLine: null,
    endLine: null,
    others: "[]",
    words: "[]",
    category: "style",
    title: "t",
    rule: null,
    source: "floor",
    state: "open",
    placement: "inline",
  };
  await insertPending([{ ...row, identity: "f", severity: pick(SEVERITIES, n) }], scope, database);
  if (n % 4 > 0) await markReported(run.id, startedAt + 1_000, database);
  if (n % 5 === 0) return;
  const status = pick(ENDS, n);
  const counts = { reason: null, findingsTotal: (n % 7) + 1, findingsReported: n % 2 };
  await finishRun(run.id, { status, ...counts, finishedAt: startedAt + n * 10 }, database);
}

/** Some steps change what earlier ones have left, if there is anything. */
async function take(step: Step, { database, telemetry }: Stores): Promise<void> {
  const { kind, repositoryId, n } = step;
  const at = timeOf(step);
  const one = (table: string): string =>
    `id = (select min(id) from ${table} where repository_id = ${repositoryId})`;
  switch (kind) {
    case "review":
      return review(step, database);
    case "again": {
      const [run] = await database.query<{ job_id: number; status: string } & Row>(
        `select * from runs where ${one("runs")}`,
      );
      if (run === undefined) return;
      const ofRepository = { installationId: 1, repositoryId, repository: `acme/r${repositoryId}` };
      await claimRun(
        {
          ...ofRepository,
          jobId: run.job_id,
          pullRequest: 1,
          base: "b",
          head: "h",
          triggers: "",
          startedAt: at,
        },
        database,
      );
      return;
    }
    case "answer": {
      const ofRepository = { installationId: 1, repositoryId, repository: `acme/r${repositoryId}` };
      const { id } = await claimRun(
        { ...ofRepository, jobId: ++jobs, pullRequest: 1, base: "", head: "", triggers: "", startedAt: at },
        database,
      );
      const counts = { reason: null, findingsTotal: 0, findingsReported: 0, finishedAt: at };
      await finishRun(id, { status: "answered", ...counts }, database);
      return;
    }
    case "remember":
      await database.query(
        `insert into memories (repository_id, pull_request, identity, pattern, title, body, path, language, category, severity,
           outcome, terms, created_at, updated_at)
         values ($1, $2, 'm', 'p', 't', 'b', 'a.ts', 'typescript', 'style', 'major', $3, 1, $4, $4)`,
        [repositoryId, ++jobs, pick(OUTCOMES, n), at],
      );
      return;
    case "outcome":
      await database.query(`update memories set outcome = $1 where ${one("memories")}`, [pick(OUTCOMES, n)]);
      return;
    case "spend": {
      const scope = {
        runId: 1,
        installationId: 1,
        repositoryId,
        pullRequest: 1,
        author: "a",
        isOutsider: false,
      };
      const id = await insertSpending({ ...scope, model: `m${n % 2}`, microUsd: n, at }, database);
      if (n % 3 === 0) await raiseSpending(id, n, at + DAY_MS, database);
      return;
    }
    case "settle": {
      const [row] = await database.query<{ id: number }>(
        `select id from spendings where settled_micro_usd is null and ${one("spendings")}`,
      );
      if (row !== undefined) await settleSpending(row.id, n, database);
      return;
    }
    case "measure": {
      const repository = n % 4 === 0 ? null : `acme/r${repositoryId}`;
      const origin = { jobId: repositoryId, repository, at, expiresAt: at + (n % 2) * DAY_MS };
      const used = { turns: 1, inputTokens: n, cachedInputTokens: 1, outputTokens: 2, ms: 1 };
      const attempt = { pass: "p", model: `m${n % 2}`, step: "full", outcome: "o", stopReason: "s" };
      const costMicroUsd = n % 3 === 0 ? null : n;
      await recordModelRuns([{ ...origin, ...attempt, ...used, costMicroUsd }], telemetry);
      await recordDegradations([{ ...origin, what: `w${n % 2}`, message: "m", count: n }], telemetry);
      return;
    }
    case "expire":
      return deleteExpiredTelemetry(at, telemetry);
    case "delete":
      await deleteRepository(repositoryId, database);
      return deleteTelemetryOf({ jobIds: [repositoryId], repository: `acme/r${repositoryId}` }, telemetry);
    case "forget":
      return deleteMemoryOf(repositoryId, database);
    case "crash":
      // As after a crash: the rows and the notes of their days are gone together.
      return assert.rejects(
        database.transaction(async (sql) => {
          await sql.query("update findings set severity = 'minor', told_at = told_at + 1");
          await sql.query("delete from runs");
          throw new Error("crash");
        }),
        /crash/,
      );
    case "refresh":
      await refreshDailyTotals(database);
      await refreshDailyStatistics(telemetry);
  }
}

const add = (totals: Record<string, number>, key: string, value: number): void => {
  totals[key] = (totals[key] ?? 0) + value;
};

/** A plain count of all rows, in another language than the queries. */
async function countEverything(sinceMs: number, { database, telemetry }: Stores) {
  const totals: Record<string, number> = {};
  const durations: Record<string, number[]> = {};
  const placeOf = (row: Row, time: string): string =>
    `${String(row["repository_id"])} ${Math.floor(Number(row[time]) / DAY_MS)}`;
  for (const row of await database.query("select * from runs where started_at >= $1", [sinceMs])) {
    const [place, status] = [placeOf(row, "started_at"), String(row["status"])];
    if (status === "running") continue;
    add(totals, `${place} ${status === "answered" ? "answers" : status}`, 1);
    if (status !== "completed" && status !== "partial") continue;
    add(totals, `${place} found`, Number(row["findings_total"]));
    add(totals, `${place} reported`, Number(row["findings_told"]));
    (durations[place] ??= []).push(Number(row["finished_at"]) - Number(row["started_at"]));
  }
  for (const row of await database.query("select * from findings where told_at >= $1", [sinceMs]))
    add(totals, `${placeOf(row, "told_at")} ${String(row["severity"]).replace("-", "_")}`, 1);
  for (const row of await database.query("select * from memories where created_at >= $1", [sinceMs]))
    add(totals, `${placeOf(row, "created_at")} ${String(row["outcome"])}`, 1);
  for (const row of await database.query("select * from spendings where at >= $1", [sinceMs]))
    add(
      totals,
      `${Math.floor(Number(row["at"]) / DAY_MS)} ${String(row["model"])}`,
      Number(row["settled_micro_usd"] ?? row["reserved_micro_usd"]),
    );
  for (const row of await telemetry.query("select * from model_runs where at >= $1", [sinceMs])) {
    const key = `${String(row["repository"])} ${String(row["model"])}`;
    add(totals, `${key} attempts`, 1);
    add(totals, `${key} input`, Number(row["input_tokens"]));
    add(totals, `${key} cost`, Number(row["cost_micro_usd"]));
    add(totals, `${key} unpriced`, row["cost_micro_usd"] === null ? 1 : 0);
    const day = Math.floor(Number(row["at"]) / DAY_MS);
    add(
      totals,
      `${day} ${String(row["model"])} tokens`,
      Number(row["input_tokens"]) + Number(row["output_tokens"]),
    );
  }
  for (const row of await telemetry.query("select * from degradations where at >= $1", [sinceMs]))
    add(totals, `${String(row["repository"])} ${String(row["what"])} times`, Number(row["count"]));
  return { totals: withoutZeros(totals), durations: sorted(durations) };
}

async function readTotalsSince(sinceMs: number, { database, telemetry }: Stores) {
  const totals: Record<string, number> = {};
  const durations: Record<string, number[]> = {};
  for (const row of await readDailyTotals({ sinceMs, readable: "all" }, database)) {
    const place = `${row.repositoryId} ${row.day}`;
    for (const [name, value] of Object.entries(addUpCounts([row]))) add(totals, `${place} ${name}`, value);
    if (row.durations.length > 0) (durations[place] ??= []).push(...row.durations);
  }
  for (const { day, model, micro_usd: microUsd } of await readDailyCosts(
    { sinceMs, readable: "all" },
    database,
  ))
    add(totals, `${day} ${model}`, microUsd);
  for (const row of await sumModels({ sinceMs, repository: null }, telemetry)) {
    const key = `${row.repository} ${row.model}`;
    add(totals, `${key} attempts`, row.attempts);
    add(totals, `${key} input`, row.input_tokens);
    add(totals, `${key} cost`, row.cost_micro_usd);
    add(totals, `${key} unpriced`, row.unpriced);
  }
  for (const { day, model, tokens } of await readDailyTokens({ sinceMs, repository: null }, telemetry))
    add(totals, `${day} ${model} tokens`, tokens);
  for (const { repository, what, times } of await sumDegradations({ sinceMs, repository: null }, telemetry))
    add(totals, `${repository} ${what} times`, times);
  return { totals: withoutZeros(totals), durations: sorted(durations) };
}

const withoutZeros = (totals: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(totals).filter(([, value]) => value !== 0));

const sorted = (lists: Readonly<Record<string, readonly number[]>>) =>
  Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, list.toSorted((a, b) => a - b)]));

/** Each sequence goes on with the data of the ones before, so that there is always much to change. */
const SEQUENCES = isAll ? 25 : 8;

for (const engine of ENGINES) {
  test(`${engine.name}: whatever happens, totals are what a count of all rows gives`, () =>
    withStore(engine, async (store) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(STEP, { minLength: 5, maxLength: 25 }),
          fc.constantFrom(0, 0.5, 1, 2),
          async (steps, sinceDays) => {
            for (const step of steps) await take(step, store);
            const sinceMs = (FIRST_DAY + sinceDays) * DAY_MS;
            assert.deepEqual(await readTotalsSince(sinceMs, store), await countEverything(sinceMs, store));
          },
        ),
        { numRuns: SEQUENCES, endOnFailure: true },
      );
    }));

  test(`${engine.name}: days without changes are read from their totals, and data of older versions gets them`, () =>
    withStore(engine, async (store) => {
      const { database } = store;
      const step = { kind: "review", repositoryId: 1, day: 0, n: 11 } as const;
      for (const day of [0, 1, 2]) await review({ ...step, day }, database);
      const since = { sinceMs: FIRST_DAY * DAY_MS, readable: "all" } as const;
      const before = await readDailyTotals(since, database);
      assert.equal(before.length, 3);
      await refreshDailyTotals(database);
      assert.deepEqual(await database.query("select * from changed_days"), []);
      // A total that is read shows what was stored, and not the rows.
      await database.query("update daily_totals set counts = '1,0,0,0,0,0,1000' where day = $1", [FIRST_DAY]);
      const read = await readDailyTotals(since, database);
      assert.deepEqual(
        read
          .map((row) => [row.day, addUpCounts([row]).found === 1_000])
          .toSorted(([a], [b]) => Number(a) - Number(b)),
        [
          [FIRST_DAY, true],
          [FIRST_DAY + 1, false],
          [FIRST_DAY + 2, false],
        ],
      );
      // The next change of the day counts its rows again.
      await review(step, database);
      await refreshDailyTotals(database);
      const again = await readDailyTotals(since, database);
      const first = again.filter(({ day }) => day === FIRST_DAY);
      assert.equal(addUpCounts(first).found, 2 * ((11 % 7) + 1));
      const mine = await readDailyTotals({ ...since, readable: [2] }, database);
      assert.deepEqual(mine, []);
    }));
}
