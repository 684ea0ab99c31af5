import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutcomeKind } from "../../model/outcome.ts";
import type { StopReason } from "../../model/stop-reason.ts";
import type { PassReport } from "../../review/publication/publication.ts";
import { hadOutage } from "./had-outage.ts";

function pass(outcome: OutcomeKind, stopReason: StopReason, given: Partial<PassReport> = {}): PassReport {
  return {
    name: "review",
    model: "openai:scripted",
    step: "full",
    outcome,
    stopReason,
    files: 1,
    turns: 0,
    tokens: { input: 0, cachedInput: 0, output: 0 },
    costUsd: 0,
    ms: 1,
    findings: 0,
    ...given,
  };
}

const RULES = pass("completed", { kind: "finished" }, { step: "floor", name: "floor", model: "floor" });
const DONE = pass("completed", { kind: "finished" });
const DOWN = pass("overloaded", { kind: "http-error", status: 503 });
const REFUSED = pass("refused", { kind: "refusal" });

const CASES: readonly (readonly [name: string, passes: readonly PassReport[], isOutage: boolean])[] = [
  ["no model", [], false],
  ["a finished review", [DONE], false],
  ["an overloaded provider", [DOWN], true],
  ["too many requests", [pass("overloaded", { kind: "http-error", status: 429 })], true],
  ["no connection", [pass("failed", { kind: "no-connection" })], true],
  ["a broken answer", [pass("failed", { kind: "http-error", status: 500 })], true],
  ["a provider that never answered", [pass("timed-out", { kind: "stalled" })], true],
  ["a provider that stopped halfway", [pass("timed-out", { kind: "stalled" }, { turns: 3 })], false],
  ["a wrong key", [pass("failed", { kind: "http-error", status: 401 })], false],
  ["an account without credit", [pass("failed", { kind: "quota-exceeded" })], false],
  ["a spent budget", [pass("stopped-by-budget", { kind: "budget-exhausted" })], false],
  ["a deadline", [pass("timed-out", { kind: "deadline" })], false],
  ["a refusal", [REFUSED], false],
  ["an outage that another model made up for", [DOWN, DONE], false],
  ["an outage, and a refusal of the other model", [DOWN, REFUSED], true],
  [
    "one part of two",
    [
      { ...DONE, name: "part 1 of 2" },
      { ...DOWN, name: "part 2 of 2" },
    ],
    true,
  ],
];

for (const [name, passes, isOutage] of CASES)
  test(`${name} is ${isOutage ? "an" : "no"} outage`, () =>
    assert.equal(hadOutage([RULES, ...passes]), isOutage));
