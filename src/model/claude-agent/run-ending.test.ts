import assert from "node:assert/strict";
import { test } from "node:test";
import { endOfAnswer, endOfError, endOfStatus, isFinalStatus } from "./run-ending.ts";

const ANSWER = { stopReason: "end_turn", hasText: true, hasToolCalls: false, isFirst: true };

test("an answer ends the run where the program would ask again unasked", () => {
  assert.equal(endOfAnswer(ANSWER), null);
  assert.equal(endOfAnswer({ ...ANSWER, stopReason: "tool_use", hasText: false, hasToolCalls: true }), null);
  assert.deepEqual(endOfAnswer({ ...ANSWER, hasText: false }), {
    kind: "failed",
    stopReason: { kind: "empty-answer" },
  });
  assert.deepEqual(endOfAnswer({ ...ANSWER, hasText: false, isFirst: false }), {
    kind: "completed",
    stopReason: { kind: "end-of-turn" },
  });
  assert.deepEqual(endOfAnswer({ ...ANSWER, stopReason: "max_tokens" }), {
    kind: "failed",
    stopReason: { kind: "output-limit" },
  });
  assert.equal(endOfAnswer({ ...ANSWER, stopReason: "max_tokens", hasToolCalls: true }), null);
  assert.deepEqual(endOfAnswer({ ...ANSWER, stopReason: "refusal", hasToolCalls: true }), {
    kind: "refused",
    stopReason: { kind: "refusal" },
  });
  assert.deepEqual(endOfAnswer({ ...ANSWER, stopReason: "model_context_window_exceeded" }), {
    kind: "failed",
    stopReason: { kind: "context-overflow" },
  });
});

test("statuses that mean no room now, and those that stay", () => {
  for (const status of [429, 503, 529]) {
    assert.deepEqual(endOfStatus(status, false), {
      kind: "overloaded",
      stopReason: { kind: "http-error", status },
    });
    assert.equal(isFinalStatus(status), false);
  }
  assert.deepEqual(endOfStatus(500, false), {
    kind: "failed",
    stopReason: { kind: "http-error", status: 500 },
  });
  assert.deepEqual(endOfStatus(null, true), { kind: "failed", stopReason: { kind: "connection-lost" } });
  assert.deepEqual(endOfStatus(null, false), { kind: "failed", stopReason: { kind: "no-connection" } });
  assert.deepEqual(endOfStatus(402, false), { kind: "failed", stopReason: { kind: "quota-exceeded" } });
  assert.deepEqual(endOfStatus(413, false), { kind: "failed", stopReason: { kind: "context-overflow" } });
  assert.deepEqual(endOfError("billing_error"), { kind: "failed", stopReason: { kind: "quota-exceeded" } });
  assert.equal(endOfError("model_not_found"), null);
  assert.equal(endOfError(undefined), null);
  for (const status of [400, 401, 403, 404, 413]) assert.equal(isFinalStatus(status), true);
  for (const status of [null, 408, 409, 500, 502]) assert.equal(isFinalStatus(status), false);
});
