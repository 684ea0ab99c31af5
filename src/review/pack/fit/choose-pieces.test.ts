import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { choosePieces } from "./choose-pieces.ts";

const LINES = `import { parseOrder } from "./orders.ts";
import { log } from "./log.ts";

export function load(text) {
  const order = parseOrder(text);
  return order;
}

export function save(order) {
  log("saved");
}

class Cart {
  add(order) {
    parseOrder(order);
  }
}`.split("\n");

const WORDS = new Map([
  ["parseOrder", 100],
  ["order", 10],
]);

test("functions with words of the change are chosen whole, the rarest words first", () => {
  assert.deepEqual(choosePieces(LINES, WORDS, 10_000), [
    { startLine: 1, endLine: 1 },
    { startLine: 4, endLine: 7 },
    { startLine: 9, endLine: 11 },
    { startLine: 13, endLine: 17 },
  ]);
  assert.deepEqual(choosePieces(LINES, WORDS, 130), [{ startLine: 4, endLine: 7 }]);
  assert.deepEqual(choosePieces(LINES, WORDS, 130, [{ startLine: 13, endLine: 17 }]), [
    { startLine: 13, endLine: 17 },
  ]);
});

test("a file without such words has no pieces", () => {
  assert.deepEqual(choosePieces(LINES, new Map([["unknown", 5]]), 10_000), []);
  assert.deepEqual(choosePieces([], WORDS, 10_000), []);
  assert.deepEqual(choosePieces(LINES, WORDS, 10), []);
});

test("pieces are in order, apart, and within the limit, whatever the file is", () => {
  const line = fc
    .tuple(fc.nat(12), fc.constantFrom("order", "parseOrder(x)", "}", "", "other"))
    .map(([indent, text]) => " ".repeat(indent) + text);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 200 }), fc.nat(3_000), (lines, maxChars) => {
      const pieces = choosePieces(lines, WORDS, maxChars);
      const shown = pieces.flatMap(({ startLine, endLine }) => lines.slice(startLine - 1, endLine));
      assert.ok(shown.join("\n").length <= maxChars);
      for (const [index, { startLine, endLine }] of pieces.entries()) {
        assert.ok(startLine >= 1 && startLine <= endLine && endLine <= lines.length);
        assert.ok(startLine > (pieces[index - 1]?.endLine ?? -1) + 1);
      }
    }),
  );
});
