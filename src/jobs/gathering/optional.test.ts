import assert from "node:assert/strict";
import { test } from "node:test";
import { createDegradations } from "./optional.ts";

const NEVER = new AbortController().signal;

test("degradations: repeated messages are counted, different ones are listed, and the list is capped", async () => {
  const degradations = createDegradations(NEVER);
  degradations.note("model", "openai:x: OPENAI_API_KEY is not set");
  degradations.note("model", "google:y: GEMINI_API_KEY is not set");
  degradations.note("model", "openai:x: OPENAI_API_KEY is not set");
  assert.equal(await degradations.optional("guidelines", () => Promise.reject(new Error("gone"))), null);
  assert.deepEqual(degradations.list(), [
    { what: "model", message: "openai:x: OPENAI_API_KEY is not set", count: 2 },
    { what: "model", message: "google:y: GEMINI_API_KEY is not set", count: 1 },
    { what: "guidelines", message: "gone", count: 1 },
  ]);
  for (let file = 0; file < 1_000; file++) degradations.note("rule", `failed in ${file}`);
  const rule = degradations.list().filter(({ what }) => what === "rule");
  assert.deepEqual(
    rule.map(({ message, count }) => [message, count]),
    [0, 1, 2, 3, 4].map((file) => [`failed in ${file}`, file === 0 ? 996 : 1]),
  );
});

const NEED = { check: "advisories", paths: null, rules: ["dependency-advisory"] };

test("a step that a check needs leaves a gap when it fails, and no degradation", async () => {
  const degradations = createDegradations(NEVER);
  assert.equal(await degradations.checked(NEED, async () => 7), 7);
  assert.deepEqual(degradations.gaps(), []);
  const failing = () => Promise.reject(new Error(`gone ${"x".repeat(1_000)}`));
  assert.equal(await degradations.checked(NEED, failing), null);
  const [gap] = degradations.gaps();
  assert.deepEqual({ ...gap, detail: null }, { ...NEED, reason: "failed", detail: null });
  assert.match(gap?.detail ?? "", /^gone x{100}/);
  assert.ok((gap?.detail ?? "").length <= 300);
  assert.deepEqual(degradations.list(), []);
});

test("gaps of the same check and reason are listed once, with all of their files", () => {
  const degradations = createDegradations(NEVER);
  const parser = { check: "parser for python", reason: "limit", detail: null, rules: ["a"] } as const;
  degradations.miss({ ...parser, paths: ["a.py"] });
  degradations.miss({ ...parser, paths: ["b.py"] });
  assert.deepEqual(degradations.gaps(), [{ ...parser, paths: ["a.py", "b.py"] }]);
});

test("a stopped job fails, and leaves neither a gap nor a degradation", async () => {
  const stop = new AbortController();
  const degradations = createDegradations(stop.signal);
  stop.abort();
  const failing = () => Promise.reject(new Error("stopped"));
  await assert.rejects(degradations.checked(NEED, failing), /stopped/);
  await assert.rejects(degradations.optional("guidelines", failing), /stopped/);
  assert.deepEqual([degradations.gaps(), degradations.list()], [[], []]);
});
