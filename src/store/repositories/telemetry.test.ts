import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { deleteTelemetryBefore, recordDegradations, recordExecution, recordRateLimit } from "./telemetry.ts";

for (const engine of ENGINES) {
  test(`${engine.name}: telemetry is recorded, and forgotten with time`, () =>
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
}
