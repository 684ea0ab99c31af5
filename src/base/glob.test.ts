import assert from "node:assert/strict";
import { test } from "node:test";
import { compileGlob, compileGlobs } from "./glob.ts";

const MATCHES: readonly (readonly [patterns: readonly string[], path: string, expected: boolean])[] = [
  [["src/**"], "src/a/b.ts", true],
  [["src/**"], "lib/src/a.ts", false],
  [["*.ts"], "deep/down/a.ts", true],
  [["/a/*.ts"], "a/b.ts", false],
  [["a/*.ts"], "a/b/c.ts", false],
  [["**/*.{js,ts}"], "x/y.js", true],
  [["!(a).ts"], "b.ts", false],
  [["#note"], "#note", true],
  [["[ab].ts"], "b.ts", true],
  [[".github/**"], ".github/workflows/x.yml", true],
  [["docs", "lib/**"], "lib/x", true],
  [[], "anything", false],
];

test("globs match paths", () => {
  for (const [patterns, path, expected] of MATCHES)
    assert.equal(compileGlobs(patterns)(path), expected, `${patterns.join()} on ${path}`);
});

test("patterns that expand too much or are too long are rejected", () => {
  for (const pattern of ["{a,b}".repeat(7), "{1..1000000}", "{a,{b,{c,{d,e}}}}", "x".repeat(300), ""])
    assert.equal(compileGlob(pattern), null, pattern.slice(0, 40));
  assert.notEqual(compileGlob("{a,b,c}/{d,e}"), null);
});

test("patterns that hang a backtracking matcher finish", () => {
  for (const pattern of [
    "*".repeat(200),
    "+(+(+(a)))b",
    "**/".repeat(60),
    "*a".repeat(100),
    "?*".repeat(100),
  ]) {
    const matches = compileGlob(pattern);
    assert.equal(matches === null || typeof matches("a".repeat(200)) === "boolean", true);
  }
});
