import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import {
  deleteExpiredTelemetry,
  deleteTelemetryOf,
  type ModelRunRow,
  recordDegradations,
  recordExecution,
  recordModelRuns,
  recordPromptSections,
  recordRateLimit,
  recordRetrieval,
} from "./telemetry.ts";

for (const engine of ENGINES) {
  test(`${engine.name}: telemetry is recorded and deleted when it expires`, () =>
    withStore(engine, async ({ telemetry }) => {
      const execution = { kind: "review", repository: "acme/shop", outcome: "done", ms: 12, attempts: 1 };
      for (const at of [1_000, 2_000]) {
        const origin = { jobId: 5_000_000_001, repository: "acme/shop", at, expiresAt: at + 89_000 };
        await recordExecution({ ...execution, ...origin, startedAt: at }, telemetry);
        await recordDegradations([{ ...origin, what: "author", message: "no answer", count: 2 }], telemetry);
        await recordRateLimit({ ...origin, resource: "core", remaining: 4_999, resetAt: at + 1 }, telemetry);
        const retrieval = { outcome: "found", embeddings: "local", candidates: 9, shown: 2, sameLanguage: 1 };
        await recordRetrieval(
          { ...origin, ...retrieval, distances: [0.25, 0.5], recurred: 1, ms: 12 },
          telemetry,
        );
        await recordPromptSections(
          [{ ...origin, pass: "review", section: "diff", chars: 10, cutChars: 3 }],
          telemetry,
        );
      }
      const rows = async (sql: string) => (await telemetry.query(sql)).map((row) => ({ ...row }));
      const { kind, repository, outcome, ms, attempts } = execution;
      const recorded = { job_id: 5_000_000_001, kind, repository, outcome, ms, attempts };
      assert.deepEqual(await rows("select job_id, kind, repository, outcome, ms, attempts from executions"), [
        recorded,
        recorded,
      ]);
      await deleteExpiredTelemetry(90_001, telemetry);
      assert.deepEqual(await rows("select started_at from executions"), [{ started_at: 2_000 }]);
      assert.deepEqual(await rows("select what, count, at from degradations"), [
        { what: "author", count: 2, at: 2_000 },
      ]);
      assert.deepEqual(await rows("select resource, remaining, reset_at from rate_limits"), [
        { resource: "core", remaining: 4_999, reset_at: 2_001 },
      ]);
      const figures = "embeddings, candidates, shown, same_language, distances, recurred, ms, at";
      assert.deepEqual(await rows(`select ${figures} from retrievals`), [
        {
          embeddings: "local",
          candidates: 9,
          shown: 2,
          same_language: 1,
          distances: "[0.25,0.5]",
          recurred: 1,
          ms: 12,
          at: 2_000,
        },
      ]);
      assert.deepEqual(await rows("select pass, section, chars, cut_chars, at from prompt_sections"), [
        { pass: "review", section: "diff", chars: 10, cut_chars: 3, at: 2_000 },
      ]);
      await deleteTelemetryOf({ jobIds: [], repository: "acme/shop" }, telemetry);
      for (const table of ["executions", "degradations", "retrievals", "prompt_sections"])
        assert.deepEqual(await rows(`select * from ${table}`), [], table);
    }));

  test(`${engine.name}: model runs are recorded with and without a cost and deleted when they expire`, () =>
    withStore(engine, async ({ telemetry }) => {
      const row: ModelRunRow = {
        jobId: 5_000_000_001,
        repository: "acme/shop",
        expiresAt: 91_000,
        pass: "main",
        model: "openai:gpt-5",
        step: "lean",
        outcome: "timed-out",
        stopReason: "deadline",
        turns: 3,
        inputTokens: 5_000_000_002,
        cachedInputTokens: 10,
        outputTokens: 20,
        costMicroUsd: 5_000_000_003,
        ms: 40,
        at: 2_000,
      };
      await recordModelRuns(
        [{ ...row, at: 1_999, expiresAt: 90_000 }, row, { ...row, costMicroUsd: null, at: 3_000 }],
        telemetry,
      );
      await deleteExpiredTelemetry(90_001, telemetry);
      const kept = {
        job_id: row.jobId,
        pass: row.pass,
        model: row.model,
        step: row.step,
        outcome: row.outcome,
        stop_reason: row.stopReason,
        turns: row.turns,
        input_tokens: row.inputTokens,
        cached_input_tokens: row.cachedInputTokens,
        output_tokens: row.outputTokens,
        cost_micro_usd: row.costMicroUsd,
        ms: row.ms,
        at: 2_000,
      };
      const columns = Object.keys(kept).join(", ");
      const rows = await telemetry.query(`select ${columns} from model_runs order by id`);
      assert.deepEqual(
        rows.map((each) => ({ ...each })),
        [kept, { ...kept, cost_micro_usd: null, at: 3_000 }],
      );
    }));
}
