import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalyserName } from "./analyser.ts";
import { disabledIn, hideDisableComments } from "./disable-comments.ts";

const NO_REASON = "a disable comment without a reason";

/** The tool, the text, the rule, and the reason on each line where the rule is switched off. */
const CASES: readonly [AnalyserName, string, string, Readonly<Record<number, string>>][] = [
  ["oxlint", "a;\n// eslint-disable-next-line\nb;", "no-eval", { 3: NO_REASON }],
  ["oxlint", "a; // eslint-disable-line no-eval -- the input is ours", "no-eval", { 1: "the input is ours" }],
  ["oxlint", "a; // eslint-disable-line no-alert", "no-eval", {}],
  ["oxlint", "// oxlint-disable-next-line typescript/no-misused-new\nb", "no-misused-new", { 2: NO_REASON }],
  [
    "oxlint",
    "a\n/* eslint-disable no-eval -- old */\nb\n/* eslint-enable */\nc",
    "no-eval",
    { 2: "old", 3: "old", 4: "old" },
  ],
  ["oxlint", "{/* eslint-disable-next-line @x/no-eval, y */}\nb", "no-eval", { 2: NO_REASON }],
  ["oxlint", 'f("eslint-disable-line");', "no-eval", {}],
  ["ruff", "a  # noqa", "F821", { 1: NO_REASON }],
  ["ruff", "a  # noqa: E501, F821 defined by exec", "F821", { 1: "defined by exec" }],
  ["ruff", "a  # noqa: E501", "F821", {}],
  ["ruff", "# ruff: noqa: F821\na", "F821", { 1: NO_REASON, 2: NO_REASON }],
  [
    "ruff",
    "b\n# ruff: disable[F821]\na\n# ruff: enable[F821]\nc",
    "F821",
    { 2: NO_REASON, 3: NO_REASON, 4: NO_REASON },
  ],
  [
    "shellcheck",
    "#!/bin/sh\n# shellcheck disable=SC2086\na\nb",
    "SC2086",
    { 1: NO_REASON, 2: NO_REASON, 3: NO_REASON, 4: NO_REASON },
  ],
  [
    "shellcheck",
    "a\n# shellcheck disable=SC2034,SC2086 # words wanted\nb\nc",
    "SC2086",
    { 3: "words wanted" },
  ],
  [
    "shellcheck",
    "a\n# shellcheck disable=2086\nif b; then\n  c\nfi\nd",
    "SC2086",
    { 3: NO_REASON, 4: NO_REASON },
  ],
  ["actionlint", "# actionlint: off\na: b", "expression", {}],
];

test("a disable comment covers its lines and rules, with its reason", () => {
  for (const [tool, text, rule, expected] of CASES) {
    const lines = text.split("\n");
    const reasonOf = disabledIn(tool, lines);
    const found = lines.flatMap((_, index) => {
      const reason = reasonOf({ rule, line: index + 1, endLine: index + 1 });
      return reason === null ? [] : [[index + 1, reason] as const];
    });
    assert.deepEqual(Object.fromEntries(found), expected, text);
  }
});

test("the tool sees no comment that it would obey, and every line and column stays", () => {
  const hidden: readonly [AnalyserName, string, string][] = [
    ["oxlint", "a; // eslint-disable-line no-eval", "a; // eslint.disable-line no-eval"],
    ["ruff", "a  # NoQA: F821\n#ruff: noqa", "a  # No.A: F821\n#ru.f: noqa"],
    ["ruff", "noqa = 1  # it's no\u00a0# noqa", "noqa = 1  # it's no\u00a0# no.a"],
    ["shellcheck", "# shellcheck source=/etc/passwd\na", "# shell.heck source=/etc/passwd\na"],
    ["shellcheck", "#\t         shellcheck disable=all\na", "#\t         shell.heck disable=all\na"],
    ["shellcheck", "shellcheck a.sh", "shellcheck a.sh"],
  ];
  for (const [tool, text, expected] of hidden) {
    assert.equal(hideDisableComments(tool, text), expected);
    assert.equal(expected.length, text.length);
  }
});
