import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { insertPending, markReported } from "../../store/repositories/findings.ts";
import { claimRun, finishRun } from "../../store/repositories/runs.ts";
import { recordDegradations, recordModelRuns, recordRetrieval } from "../../store/repositories/telemetry.ts";
import type { Database } from "../../store/database.ts";
import { readReport } from "./read-report.ts";

const NOW = 1_000_000_000;
const SINCE = NOW - 10_000;

type GivenRun = { readonly repository: string; readonly repositoryId: number; readonly startedAt: number };

let jobs = 0;

/** A published run that took 2 s and reported one finding per severity. */
async function addRun(given: GivenRun, severities: readonly string[], database: Database): Promise<void> {
  const run = await claimRun(
    {
      ...given,
      jobId: ++jobs,
      installationId: 1,
      pullRequest: jobs,
      base: "b",
      head: "h",
      triggers: "opened",
    },
    database,
  );
  const scope = { runId: run.id, repositoryId: given.repositoryId, pullRequest: jobs, head: "h" };
  const rows = severities.map((severity, index) => ({
    identity: `f${jobs}-${index}`,
    number: index + 1,
    path: "a.ts",
    side: "new" as const,
    startLine: 1,
    endLine: 1,
    others: "[]",
    severity,
    category: "correctness",
    title: "t",
    words: "[]",
    rule: null,
    source: "model",
    state: "open",
    placement: "inline",
  }));
  await insertPending(rows, scope, database);
  await markReported(run.id, given.startedAt + 1, database);
  await finishRun(
    run.id,
    {
      status: "completed",
      reason: "published",
      findingsTotal: rows.length + 1,
      findingsReported: rows.length,
      finishedAt: given.startedAt + 2_000,
    },
    database,
  );
}

async function addMemory(repositoryId: number, identity: string, outcome: string, database: Database) {
  await database.query(
    `insert into memories (repository_id, pull_request, identity, pattern, title, body, path, language, category, severity,
       outcome, terms, created_at, updated_at)
     values ($1, 1, $2, 'p', 't', 'b', 'a.ts', 'typescript', 'correctness', 'major', $3, 1, $4, $4)`,
    [repositoryId, identity, outcome, NOW - 5],
  );
}

for (const engine of ENGINES) {
  test(`${engine.name}: a report adds up both databases since a time, per repository and model`, () =>
    withStore(engine, async ({ database, telemetry }) => {
      const shop = { repository: "Acme/shop", repositoryId: 7 };
      await addRun({ ...shop, startedAt: NOW - 9_000 }, ["critical", "minor"], database);
      await addRun({ ...shop, startedAt: SINCE - 10 }, ["critical"], database);
      const site = { repository: "acme/site", repositoryId: 8, startedAt: NOW - 8_000 };
      await addRun(site, ["major"], database);
      await database.query(
        `insert into memory_repositories
           (repository_id, owner, name, is_private, is_sharing, memories, terms, embeddings, updated_at)
         values (7, 'acme', 'shop', 1, 0, 3, 3, 'local', 1)`,
      );
      for (const [index, outcome] of ["accepted", "accepted", "dismissed", "open"].entries())
        await addMemory(7, `m${index}`, outcome, database);
      const origin = { jobId: 1, repository: "Acme/shop", at: NOW - 100, expiresAt: NOW + 1 };
      const run = {
        ...origin,
        pass: "review",
        model: "openai:a",
        step: "full",
        outcome: "completed",
        stopReason: "finished",
        turns: 1,
        inputTokens: 5_000_000_000,
        cachedInputTokens: 10,
        outputTokens: 5,
        costMicroUsd: 1_500_000,
        ms: 7,
      };
      const old = { ...run, at: SINCE - 1 };
      await recordModelRuns([run, { ...run, costMicroUsd: null, model: "openai:b" }, old], telemetry);
      await recordDegradations([{ ...origin, what: "memories", message: "no answer", count: 3 }], telemetry);
      const retrieval = { ...origin, outcome: "found", embeddings: "local", candidates: 9, ms: 20 };
      await recordRetrieval(
        { ...retrieval, shown: 2, sameLanguage: 1, distances: [0.2, 0.4], recurred: 1 },
        telemetry,
      );
      const mention = { ...site, jobId: ++jobs, installationId: 1, pullRequest: 1, base: "", head: "" };
      const answer = await claimRun({ ...mention, triggers: "mention:ask" }, database);
      const counts = { reason: "answered", findingsTotal: 0, findingsReported: 0, finishedAt: NOW };
      await finishRun(answer.id, { status: "answered", ...counts }, database);
      const deps = { database, telemetry, now: () => NOW };
      const all = await readReport({ sinceMs: SINCE, repository: null }, deps);
      assert.deepEqual(
        all.repositories.map(({ repository }) => repository),
        ["Acme/shop", "acme/site"],
      );
      const [ofShop, ofSite] = all.repositories;
      assert.deepEqual(
        [ofShop?.reviews.completed, ofSite?.reviews.completed, all.total.reviews.completed],
        [1, 1, 2],
      );
      assert.deepEqual([ofShop?.answers, ofSite?.answers, all.total.answers], [0, 1, 1]);
      assert.deepEqual(all.total.findings, {
        found: 5,
        reported: 3,
        bySeverity: { critical: 1, "must-fix": 0, major: 1, medium: 0, minor: 1 },
      });
      assert.deepEqual(ofShop?.outcomes, {
        accepted: 2,
        dismissed: 1,
        ignored: 0,
        open: 1,
        acceptance: 2 / 3,
      });
      assert.equal(ofSite?.outcomes.acceptance, null);
      assert.deepEqual(all.total.reviewMs, { median: 2_000, p95: 2_000 });
      assert.deepEqual(
        all.models.map(({ model, costUsd, unpricedAttempts }) => [model, costUsd, unpricedAttempts]),
        [
          ["openai:a", 1.5, 0],
          ["openai:b", 0, 1],
        ],
      );
      assert.equal(all.total.models.inputTokens, 10_000_000_000);
      assert.deepEqual(all.degradations, [{ what: "memories", times: 3 }]);
      assert.deepEqual(ofShop?.retrieval, {
        searches: 1,
        failed: 0,
        withResults: 1,
        shown: 2,
        sameLanguage: 0.5,
        recurred: 0.5,
        distance: { median: 0.2, p95: 0.4 },
        ms: { median: 20, p95: 20 },
      });
      const one = await readReport({ sinceMs: SINCE, repository: "ACME/Shop" }, deps);
      assert.deepEqual({ repository: "Acme/shop", ...one.total }, ofShop);
    }));

  test(`${engine.name}: a figure that can't be read fails the report`, () =>
    withStore(engine, async ({ database, telemetry }) => {
      await telemetry.query("alter table daily_models rename to lost");
      const range = { sinceMs: 0, repository: null };
      await assert.rejects(readReport(range, { database, telemetry, now: () => NOW }));
    }));
}
