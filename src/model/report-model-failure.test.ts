import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ending, type Model, type ModelTask, NO_TOKENS } from "./model.ts";
import { NO_STRAY_CALLS } from "../../test/support/no-stray-calls.ts";
import { type ModelFailureReport, reportModelFailure } from "./report-model-failure.ts";
import type { StopReason } from "./stop-reason.ts";

const TASK: ModelTask = {
  prompt: { system: "", user: "" },
  tools: [],
  strayCalls: NO_STRAY_CALLS,
  limits: { deadlineMs: 1, stallMs: 1, overloadMs: 1, maxTurns: 1, maxOutputTokens: 1 },
  meter: { admit: async ({ outputTokens }) => outputTokens, add: () => {} },
  onEvent: () => {},
};

async function reportsOf(ends: readonly Ending[]): Promise<readonly ModelFailureReport[]> {
  const left = [...ends];
  const model: Model = {
    id: "compatible:x",
    async run() {
      const end: Ending = left.shift() ?? { kind: "completed", stopReason: { kind: "finished" } };
      return { ...end, model: "compatible:x", turns: 0, tokens: NO_TOKENS, ms: 0 };
    },
  };
  const reports: ModelFailureReport[] = [];
  const reporting = reportModelFailure(
    model,
    "http://10.0.0.7:8000/v1",
    (report) => void reports.push(report),
  );
  for (const { stopReason } of ends)
    assert.equal((await reporting.run(TASK, new AbortController().signal)).stopReason, stopReason);
  return reports;
}

test("a failing model: its address is reported once per reason, and the outcome is unchanged", async () => {
  const failed = (stopReason: StopReason) => ({ kind: "failed", stopReason }) as const;
  const [unreached, missing] = [{ kind: "no-connection" }, { kind: "http-error", status: 404 }] as const;
  const reports = await reportsOf([failed(unreached), failed(missing), failed(unreached)]);
  assert.deepEqual(reports, [
    { model: "compatible:x", address: "http://10.0.0.7:8000/v1", reason: unreached },
    { model: "compatible:x", address: "http://10.0.0.7:8000/v1", reason: missing },
  ]);
});

test("a failing model: failures unrelated to its address are not reported", async () => {
  const reports = await reportsOf([
    { kind: "completed", stopReason: { kind: "finished" } },
    { kind: "failed", stopReason: { kind: "no-tool-calls" } },
    { kind: "overloaded", stopReason: { kind: "http-error", status: 429 } },
    { kind: "timed-out", stopReason: { kind: "deadline" } },
  ]);
  assert.deepEqual(reports, []);
});
