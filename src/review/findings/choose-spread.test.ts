import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleFinding } from "../../../test/support/sample-publication.ts";
import type { Severity } from "../../base/severity.ts";
import { chooseSpread } from "./choose-spread.ts";

function found(severity: Severity, rule: string | null, path: string, id = `${rule} ${path}`) {
  return { id, severity, finding: sampleFinding({ severity, rule, path }) };
}

function chosen(ranked: readonly ReturnType<typeof found>[], slots: number): readonly string[] {
  return [...chooseSpread(ranked, slots)].map(({ id }) => id);
}

test("rules and files take turns", () => {
  const ranked = [
    ...["a.ts", "a.ts", "b.ts"].map((path, index) => found("major", "one", path, `one ${path} ${index}`)),
    found("major", "two", "a.ts"),
    found("major", "three", "c.ts"),
  ];
  assert.deepEqual(chosen(ranked, 4), ["one a.ts 0", "two a.ts", "three c.ts", "one b.ts 2"]);
});

test("the more severe come first, but one rule takes at most half of the room while others wait", () => {
  const flood = Array.from({ length: 9 }, (_, index) => found("critical", "flood", `${index}.ts`));
  const others = [found("medium", "other", "a.ts"), found("minor", "last", "a.ts")];
  assert.deepEqual(chosen([...others, ...flood], 7), [
    ...flood.slice(0, 4).map(({ id }) => id),
    "other a.ts",
    "last a.ts",
    "flood 4.ts",
  ]);
  assert.equal(chosen(flood, 7).length, 7);
  assert.deepEqual(chosen(flood, 0), []);
});

test("each finding of a model is a kind of its own", () => {
  const model = Array.from({ length: 4 }, (_, index) => found("critical", null, "a.ts", `model ${index}`));
  assert.deepEqual(chosen([...model, found("minor", "rule", "b.ts")], 4), [
    "model 0",
    "model 1",
    "model 2",
    "model 3",
  ]);
});
