/** Table tests for the small functions of this folder. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { hashParts } from "./hash.ts";
import { nearest } from "./nearest.ts";
import { printable } from "./printable.ts";
import { isAtLeast, mostSevere, SEVERITIES, severityRank } from "./severity.ts";
import { similarity, wordOverlap } from "./similarity.ts";

test("printable escapes control characters and invisible characters", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["plain ünïcode ⚠️ 漢字 😀", "plain ünïcode ⚠️ 漢字 😀"],
    ["a\tb", "a  b"],
    ["\u001b[31mred\u0007", "\\x1b[31mred\\x07"],
    ["line\nfeed\r", "line\\nfeed\\r"],
    ["\u202eevil", "\\u{202e}evil"],
    ["zero\u200bwidth", "zero\\u{200b}width"],
    ["tag\u{e0041}", "tag\\u{e0041}"],
    ["bytes\udcff", "bytes\\xff"],
    ["lone\ud800", "lone\\u{d800}"],
    ["c1\u009b", "c1\\x9b"],
  ];
  for (const [text, expected] of cases) assert.equal(printable(text), expected);
});

test("nearest finds a similar name or none", () => {
  const known = ["review", "floor", "config check", "base", "largePR"];
  const cases: readonly (readonly [string, string | null])[] = [
    ["reviw", "review"],
    ["bsae", "base"],
    ["largePr", "largePR"],
    ["FLOOR", "floor"],
    ["zebra crossing", null],
    ["x".repeat(500), null],
  ];
  for (const [word, expected] of cases) assert.equal(nearest(word, known), expected, word);
  assert.equal(nearest("x", []), null);
});

test("hashes are stable and separate their parts", () => {
  assert.notEqual(hashParts(["ab", "c"]), hashParts(["a", "bc"]));
  assert.equal(hashParts(["ä"], 16), hashParts(["ä"], 16));
  assert.equal(hashParts(["x"], 16).length, 16);
  assert.equal(hashParts(["ab", "ü"]), createHash("sha256").update("2:ab2:ü").digest("hex"), "it is SHA-256");
});

test("severities have one order", () => {
  assert.deepEqual(SEVERITIES.map(severityRank), [0, 1, 2, 3, 4]);
  assert.equal(isAtLeast("major", "major"), true);
  assert.equal(isAtLeast("medium", "major"), false);
  assert.equal(mostSevere(["minor", "must-fix", "medium"]), "must-fix");
  assert.equal(mostSevere([]), null);
});

test("similarity of code and of words", () => {
  assert.equal(similarity("", ""), 1);
  assert.ok(similarity("sum += item.price;", "sum += items.price;") > 0.9);
  assert.ok(similarity("return 1", "throw new Error()") < 0.5);
  assert.ok(wordOverlap("SQL is built from a string", "SQL built from strings") >= 0.5);
  assert.ok(wordOverlap("SQL is built from a string", "Missing audit log entry") < 0.5);
  assert.equal(wordOverlap("a", "a"), 1);
});
