import assert from "node:assert/strict";
import { test } from "node:test";
import { createCitationMarker } from "./mark-citations.ts";

const SHOWN = [
  { path: "src/cart.ts", startLine: 1, endLine: 20 },
  { path: "src/cart.ts", startLine: 40, endLine: 50 },
  { path: "src/a b.ts", startLine: 1, endLine: 9 },
];

const LINES: readonly (readonly [line: string, marked: string])[] = [
  ["See src/cart.ts:20 and `src/cart.ts:5-15`.", "See src/cart.ts:20 and `src/cart.ts:5-15`."],
  ["`./src/cart.ts:50` is fine", "`./src/cart.ts:50` is fine"],
  ["See src/cart.ts:21.", "See src/cart.ts:21 (not in the pack)."],
  [
    "- `src/cart.ts:15-30`: and (src/gone.ts#L3)",
    "- `src/cart.ts:15-30` (not in the pack): and (src/gone.ts#L3 (not in the pack))",
  ],
  ["at 10:30, http://localhost:8080/a, port 80", "at 10:30, http://localhost:8080/a, port 80"],
];

test("places that the pack doesn't show are marked, and counted", () => {
  const marker = createCitationMarker(SHOWN);
  for (const [line, marked] of LINES) assert.equal(marker.mark(line), marked);
  assert.deepEqual(marker.counts(), { all: 6, missing: 3 });
});

test("quoted code isn't marked, and nothing is when the pack isn't known", () => {
  const marker = createCitationMarker(SHOWN);
  const lines = ["```ts", "// src/gone.ts:3", "```", "src/gone.ts:3"];
  assert.deepEqual(
    lines.map((line) => marker.mark(line)),
    [...lines.slice(0, 3), "src/gone.ts:3 (not in the pack)"],
  );
  const unknown = createCitationMarker(null);
  assert.equal(unknown.mark("src/gone.ts:3"), "src/gone.ts:3");
  assert.deepEqual(unknown.counts(), { all: 0, missing: 0 });
});
