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
