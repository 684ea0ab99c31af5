import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { configOf } from "../../../test/support/analysis-fixtures.ts";
import type { ReviewIntent, Scale } from "./analysis.ts";
import { parseIntent } from "./intent.ts";
import { effectiveMode } from "./mode.ts";

function intentOf(title: string): ReviewIntent {
  return parseIntent({ title, body: "", commits: [] });
}

function scaleOf(lines: number): Scale {
  return { files: 1, addedLines: lines, removedLines: 0, isLarge: lines > 500, isTriaged: false };
}

const MODES: readonly [title: string, review: object, lines: number, mode: string][] = [
  ["", {}, 0, "strict size"],
  ["", {}, 100, "strict size"],
  ["", {}, 101, "balanced size"],
  ["", {}, 500, "balanced size"],
  ["", {}, 501, "balanced size"],
  ["", { mode: "auto" }, 501, "balanced size"],
  ["", { mode: "strict" }, 501, "strict config"],
  ["", { mode: "balanced" }, 1, "balanced config"],
  ["[lenient-review] x", { mode: "strict" }, 1, "lenient keyword"],
  ["[strict-review] x", { mode: "lenient" }, 999, "strict keyword"],
  ["[minimal-review] x", {}, 1, "lenient keyword"],
];

test("a keyword overrides the configuration, which overrides the size", () => {
  for (const [title, review, lines, expected] of MODES) {
    const { mode, origin } = effectiveMode(intentOf(title), configOf({ review }), scaleOf(lines));
    assert.equal(`${mode} ${origin}`, expected, JSON.stringify([title, review, lines]));
  }
});

const VALUES: readonly [
  title: string,
  review: object,
  minLevel: string,
  max: number,
  ignored: string,
  listed: string,
  focused: string,
][] = [
  ["[strict-review]", {}, "minor", 15, "", "", ""],
  ["[balanced-review]", {}, "medium", 10, "", "style", ""],
  ["[lenient-review]", {}, "major", 5, "", "style documentation", "security correctness"],
  ["[strict-review]", { severity: { minLevel: "critical" } }, "critical", 15, "", "", ""],
  [
    "[lenient-review]",
    { severity: { minLevel: "minor" } },
    "minor",
    5,
    "",
    "style documentation",
    "security correctness",
  ],
  ["[lenient-review]", { maxComments: 50 }, "major", 50, "", "style documentation", "security correctness"],
  ["[lenient-review]", { maxComments: 0 }, "major", 0, "", "style documentation", "security correctness"],
  ["[lenient-review]", { patterns: { focus: [] } }, "major", 5, "", "style documentation", ""],
  ["[lenient-review]", { patterns: { focus: ["Tests"] } }, "major", 5, "", "style documentation", "tests"],
  ["[lenient-review]", { patterns: { focus: ["style"] } }, "major", 5, "", "documentation", "style"],
  ["[lenient-review]", { patterns: { ignore: [] } }, "major", 5, "", "", "security correctness"],
  ["[balanced-review]", { patterns: { ignore: ["tests"] } }, "medium", 10, "tests", "", ""],
  ["[strict-review][style-ok]", {}, "minor", 15, "style", "", ""],
  ["[strict-review][style-ok]", { patterns: { ignore: ["tests"] } }, "minor", 15, "tests style", "", ""],
  ["[lenient-review][security-review]", {}, "major", 5, "", "style documentation", "security correctness"],
  [
    "[strict-review][security-review]",
    { patterns: { ignore: ["security"] } },
    "minor",
    15,
    "",
    "",
    "security",
  ],
  [
    "[strict-review][security-review]",
    { patterns: { focus: ["tests"] } },
    "minor",
    15,
    "",
    "",
    "tests security",
  ],
];

test("explicit settings override the mode's values, and the intent adds to both", () => {
  for (const [title, review, minLevel, maxComments, ignored, listed, focused] of VALUES) {
    const found = effectiveMode(intentOf(title), configOf({ review }), scaleOf(1));
    assert.deepEqual(
      [
        found.minLevel,
        found.maxComments,
        found.ignoredCategories.join(" "),
        found.listedCategories.join(" "),
        found.focusedCategories.join(" "),
      ],
      [minLevel, maxComments, ignored, listed, focused],
      JSON.stringify([title, review]),
    );
  }
});

test("size decides how many comments there are, and never hides a finding", () => {
  const property = fc.property(fc.nat(5_000), (lines) => {
    const found = effectiveMode(intentOf(""), configOf(), scaleOf(lines));
    assert.equal(found.shownFrom, "minor");
    assert.deepEqual(found.ignoredCategories, []);
    assert.equal(found.maxComments, lines <= 100 ? 15 : lines <= 500 ? 10 : 8);
  });
  fc.assert(property);
});

test("only a team's own threshold hides findings", () => {
  for (const title of ["[strict-review]", "[balanced-review]", "[lenient-review]"]) {
    const own = configOf({ review: { severity: { minLevel: "major" } } });
    assert.equal(effectiveMode(intentOf(title), own, scaleOf(1)).shownFrom, "major");
    assert.equal(effectiveMode(intentOf(title), configOf(), scaleOf(1)).shownFrom, "minor");
  }
});
