import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import {
  deleteTelemetryBefore,
  type ModelRunRow,
  recordDegradations,
  recordExecution,
  recordModelRuns,
  recordRateLimit,
} from "./telemetry.ts";

for (const engine of ENGINES) {
  test(`${engine.name}: telemetry is recorded and deleted by age`, () =>
    withStore(engine, async ({ telemetry }) => {
      const execution = { kind: "review", repository: "acme/shop", outcome: "done", ms: 12, attempts: 1 };
      for (const at of [1_000, 2_000]) {
        await recordExecution({ ...execution, jobId: 5_000_000_001, startedAt: at }, telemetry);
        await recordDegradations(
          [{ jobId: 1, what: "author", message: "no answer", count: 2, at }],
          telemetry,
        );
        await recordRateLimit({ at, resource: "core", remaining: 4_999, resetAt: at + 1 }, telemetry);
      }
      const rows = async (sql: string) => (await telemetry.query(sql)).map((row) => ({ ...row }));
      const { kind, repository, outcome, ms, attempts } = execution;
      const recorded = { job_id: 5_000_000_001, kind, repository, outcome, ms, attempts };
      assert.deepEqual(await rows("select job_id, kind, repository, outcome, ms, attempts from executions"), [
        recorded,
        recorded,
      ]);
      await deleteTelemetryBefore(2_000, telemetry);
      assert.deepEqual(await rows("select started_at from executions"), [{ started_at: 2_000 }]);
      assert.deepEqual(await rows("select what, count, at from degradations"), [
        { what: "author", count: 2, at: 2_000 },
      ]);
      assert.deepEqual(await rows("select resource, remaining, reset_at from rate_limits"), [
        { resource: "core", remaining: 4_999, reset_at: 2_001 },
      ]);
    }));

  test(`${engine.name}: model runs are recorded with and without a cost and deleted by age`, () =>
    withStore(engine, async ({ telemetry }) => {
      const row: ModelRunRow = {
        jobId: 5_000_000_001,
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
        [{ ...row, at: 1_999 }, row, { ...row, costMicroUsd: null, at: 3_000 }],
        telemetry,
      );
      await deleteTelemetryBefore(2_000, telemetry);
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
