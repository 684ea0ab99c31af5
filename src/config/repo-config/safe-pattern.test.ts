import assert from "node:assert/strict";
import { test } from "node:test";
import { compileSafePattern } from "./safe-pattern.ts";
import { cpuMs } from "../../../test/support/cpu-ms.ts";

test("patterns match anywhere and are case-sensitive by default", () => {
  for (const [source, text, expected] of [
    ["unused", "An unused import", true],
    ["^unused", "An unused import", false],
    ["UNUSED", "An unused import", false],
    ["(?i)UNUSED", "An unused import", true],
    ["(one|two)$", "number two", true],
    ["é.", "caf\u00e9s", true],
  ] as const) {
    assert.equal(compileSafePattern(source)?.(text), expected, source);
  }
});

test("an unusable pattern is null", () => {
  for (const source of [
    "",
    "(",
    "[",
    "(?=x)",
    "(?<!x)y",
    "(a)\\1",
    "a{1001}",
    "(a{100}){100}",
    "x".repeat(501),
    "\\pL{1000}\\pN{1000}",
  ]) {
    assert.equal(compileSafePattern(source), null, source);
  }
});

test("matching time grows linearly with the text", () => {
  const matches = compileSafePattern("(a+)+$");
  assert.ok(cpuMs(() => assert.equal(matches?.(`${"a".repeat(50_000)}b`), false)) < 5_000);
});
