import assert from "node:assert/strict";
import { test } from "node:test";
import { ignoreReason, noteMissingReason } from "./ignore-comment.ts";

const CASES: readonly (readonly [line: string | null, rule: string, expected: string | null])[] = [
  ["// kodiai-ignore-next-line empty-catch -- best effort", "empty-catch", "best effort"],
  ["  # kodiai-ignore-next-line bare-except, empty-catch -- both fine", "empty-catch", "both fine"],
  ["/* kodiai-ignore-next-line empty-catch -- best effort */", "empty-catch", "best effort"],
  ["<!-- kodiai-ignore-next-line hidden-characters -- a sample -->", "hidden-characters", "a sample"],
  ["{/* kodiai-ignore-next-line js-innerhtml-input -- static */}", "js-innerhtml-input", "static"],
  [
    "-- kodiai-ignore-next-line destructive-migration -- unused since v2",
    "destructive-migration",
    "unused since v2",
  ],
  ["// kodiai-ignore-next-line empty-catch", "empty-catch", null],
  ["// kodiai-ignore-next-line empty-catch --", "empty-catch", null],
  ["/* kodiai-ignore-next-line empty-catch -- */", "empty-catch", null],
  ["// kodiai-ignore-next-line other-rule -- reason", "empty-catch", null],
  ["// kodiai-ignore-next-line empty -- reason", "empty-catch", null],
  ["// kodiai-ignore empty-catch -- reason", "empty-catch", null],
  ["// kodiai-ignore-next-line semgrep/js.sqli.x -- an allowlist", "semgrep/js.sqli.x", "an allowlist"],
  ["// kodiai-ignore-next-line eslint/@ts/no-x, clippy/a::b -- both", "clippy/a::b", "both"],
  ["", "empty-catch", null],
  [null, "empty-catch", null],
];

test("an ignore comment names its rule and gives a reason", () => {
  for (const [line, rule, expected] of CASES) assert.equal(ignoreReason(line, rule), expected, String(line));
});

test("a comment without a reason is noted for the rules it names", () => {
  const noted = (line: string) => noteMissingReason(line, "empty-catch") !== "";
  assert.ok(noted("// kodiai-ignore-next-line empty-catch"));
  assert.ok(noted("/* kodiai-ignore-next-line bare-except, empty-catch -- */"));
  assert.ok(noted("<!-- kodiai-ignore-next-line empty-catch -->"));
  assert.ok(!noted("// kodiai-ignore-next-line empty-catch -- best effort"));
  assert.ok(!noted("// kodiai-ignore-next-line other-rule"));
  assert.equal(noteMissingReason(null, "empty-catch"), "");
});
