import assert from "node:assert/strict";
import { test } from "node:test";
import { type Model, NO_TOKENS, type Outcome } from "../../model/model.ts";
import { candidatesOf, reduce, candidatesAfter } from "./fallback-plan.ts";

function modelOf(id: string): Model {
  return { id, run: () => Promise.reject(new Error("not called")) };
}

const MODELS = [modelOf("a:x"), modelOf("b:y")];

function said(candidates: ReturnType<typeof candidatesOf>): readonly string[] {
  return candidates.map(({ model, step }) => `${model.id} ${step}`);
}

const CASES: readonly (readonly [what: string, outcome: Partial<Outcome>, next: readonly string[]])[] = [
  ["completed", { kind: "completed" }, []],
  ["timed out: the pass has had its time", { kind: "timed-out" }, []],
  ["silent: the other one", { kind: "timed-out", stopReason: { kind: "stalled" } }, ["b:y full"]],
  ["no money for the first call", { kind: "stopped-by-budget", turns: 0 }, ["a:x lean", "b:y full"]],
  [
    "no price: the other one",
    { kind: "stopped-by-budget", turns: 0, stopReason: { kind: "price-unknown" } },
    ["b:y full"],
  ],
  ["no money in mid-run", { kind: "stopped-by-budget", turns: 3 }, []],
  ["overloaded: the other one", { kind: "overloaded" }, ["b:y full"]],
  ["refused: the other one", { kind: "refused" }, ["b:y full"]],
  ["failed", { kind: "failed", stopReason: { kind: "connection-lost" } }, ["b:y full", "a:x lean"]],
  [
    "too long a prompt",
    { kind: "failed", stopReason: { kind: "context-overflow" } },
    ["a:x lean", "b:y full"],
  ],
  ["a wrong key", { kind: "failed", stopReason: { kind: "http-error", status: 401 } }, ["b:y full"]],
  ["no connection", { kind: "failed", stopReason: { kind: "no-connection" } }, ["b:y full"]],
  ["no credit", { kind: "failed", stopReason: { kind: "quota-exceeded" } }, ["b:y full"]],
  ["interrupted: no other model", { kind: "stopped", stopReason: { kind: "interrupted" } }, []],
  ["goes in circles", { kind: "failed", stopReason: { kind: "turn-limit" } }, []],
];

for (const [what, outcome, next] of CASES) {
  test(`fallback plan: ${what}`, () => {
    const [first, ...rest] = candidatesOf(MODELS);
    assert.ok(first !== undefined);
    const whole: Outcome = {
      kind: "failed",
      stopReason: { kind: "deadline" },
      model: "a:x",
      turns: 1,
      tokens: NO_TOKENS,
      ms: 1,
      ...outcome,
    };
    assert.deepEqual(said(candidatesAfter(first, whole, rest)), next);
  });
}

test("fallback plan: a single model is also tried with a lean prompt", () => {
  assert.deepEqual(said(candidatesOf([modelOf("a:x")])), ["a:x full", "a:x lean"]);
  assert.deepEqual(candidatesOf([]), []);
});

test("fallback plan: the reduced scope is the riskiest half of the files, in half the time", () => {
  const pass = { name: "review", paths: ["a", "c", "d"], seconds: 600 };
  const risks: Readonly<Record<string, number>> = { a: 1, c: 50, d: 70 };
  const reduced = reduce(pass, (path) => risks[path] ?? 0);
  assert.deepEqual(reduced, { name: "review", paths: ["d", "c"], seconds: 300 });
});
