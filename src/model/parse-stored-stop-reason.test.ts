import assert from "node:assert/strict";
import { test } from "node:test";
import { parseStoredStopReason } from "./parse-stored-stop-reason.ts";
import { stopCode } from "./stop-code.ts";
import { PlainStopReason, type StopReason } from "./stop-reason.ts";

const WITH_DATA: readonly StopReason[] = [
  { kind: "http-error", status: 401 },
  { kind: "over-budget", budget: "perReviewUsd", limitUsd: 1, spentUsd: 0.9, neededUsd: 0.2 },
  { kind: "over-budget", budget: "--budget-usd", limitUsd: 0, spentUsd: 0, neededUsd: 0.2 },
  { kind: "over-tokens", maxTokens: 5_000_000 },
  { kind: "other", text: "words of another version" },
];

test("stored stop reasons: each one survives JSON", () => {
  for (const reason of [...PlainStopReason.options.map((kind) => ({ kind })), ...WITH_DATA])
    assert.deepEqual(parseStoredStopReason(JSON.parse(JSON.stringify(reason))), reason);
});

const EARLIER: readonly (readonly [words: string, reason: StopReason])[] = [
  ["finished", { kind: "finished" }],
  ["end of turn", { kind: "end-of-turn" }],
  ["deadline", { kind: "deadline" }],
  ["stalled", { kind: "stalled" }],
  ["HTTP 401", { kind: "http-error", status: 401 }],
  ["HTTP 529", { kind: "http-error", status: 529 }],
  ["overloaded", { kind: "overloaded" }],
  ["no connection", { kind: "no-connection" }],
  ["connection lost", { kind: "connection-lost" }],
  ["turn limit", { kind: "turn-limit" }],
  ["output limit", { kind: "output-limit" }],
  ["context overflow", { kind: "context-overflow" }],
  ["quota exceeded", { kind: "quota-exceeded" }],
  ["provider error", { kind: "provider-error" }],
  ["program ended", { kind: "process-exited" }],
  ["refusal", { kind: "refusal" }],
  ["empty answer", { kind: "empty-answer" }],
  ["no tool was used", { kind: "no-tool-calls" }],
  ["not finished", { kind: "not-finished" }],
  ["malformed tool calls", { kind: "malformed-tool-calls" }],
  ["repeated tool calls", { kind: "repeated-tool-calls" }],
  ["too many tool calls", { kind: "too-many-tool-calls" }],
  ["by hand", { kind: "interrupted" }],
  ["budget", { kind: "budget-exhausted" }],
  ["budget not known", { kind: "budget-unavailable" }],
  ["its price is not known", { kind: "price-unknown" }],
  ["defect", { kind: "internal-error" }],
  ["not in the recording", { kind: "not-recorded" }],
  ["budget.perReviewUsd is USD 0.50", { kind: "other", text: "budget.perReviewUsd is USD 0.50" }],
];

test("stored stop reasons: the words of earlier versions are understood, unknown ones are kept", () => {
  for (const [words, reason] of EARLIER) assert.deepEqual(parseStoredStopReason(words), reason);
});

test("stored stop reasons: values of a newer version are kept as text", () => {
  const reason = parseStoredStopReason({ kind: "http-error", status: "many" });
  assert.deepEqual(reason, { kind: "other", text: '{"kind":"http-error","status":"many"}' });
  assert.equal(parseStoredStopReason({ kind: "newer" }).kind, "other");
  assert.deepEqual(parseStoredStopReason(undefined), { kind: "other", text: "" });
});

test("stop codes are one word, with the HTTP status", () => {
  assert.equal(stopCode({ kind: "http-error", status: 401 }), "http-401");
  assert.equal(stopCode({ kind: "turn-limit" }), "turn-limit");
});
