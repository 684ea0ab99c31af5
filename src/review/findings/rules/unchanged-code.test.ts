import assert from "node:assert/strict";
import { test } from "node:test";
import {
  analysisOf,
  changedFile,
  changeOf,
  configTreeOf,
} from "../../../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../../../test/support/findings-fixtures.ts";
import { type LineReading, UNREAD } from "../../change/readings.ts";
import { fullScope, type HunkScope, type Scope } from "../../change/scope.ts";
import type { Anchor, Finding } from "../finding.ts";
import type { FindingInJudgement, Ruling } from "./rule.ts";
import { unchangedCode } from "./unchanged-code.ts";

const A = changedFile({
  path: "a.ts",
  status: "modified",
  lines: [" before", "-old", "+read", "+new", " after"],
  newStart: 10,
});
const B = changedFile({ path: "b.ts", lines: ["+more"] });
const C = changedFile({ path: "c.ts", lines: ["+other"] });

const READ: LineReading = { model: { id: "a:x", head: "h1" } };

const CARRIED: HunkScope = { status: "carried", readings: [null, READ, READ, READ, null] };

function scopeOf(a: HunkScope, b: HunkScope = { status: "new", readings: [UNREAD] }): Scope {
  return {
    full: null,
    since: "h1",
    byPath: new Map([
      ["a.ts", [a]],
      ["b.ts", [b]],
      ["c.ts", [{ status: "carried", readings: [READ] }]],
    ]),
  };
}

/** The second added line is new. */
const EDITED: HunkScope = { status: "changed", readings: [null, READ, READ, UNREAD, null] };

function rule(
  scope: Scope,
  anchor: Partial<Anchor> | null,
  given: Partial<Finding> = {},
  more: Partial<FindingInJudgement> = {},
): Ruling {
  const finding = findingOf({ path: "a.ts", severity: "major", ...given });
  const placed: Anchor = {
    path: "a.ts",
    side: "new",
    startLine: 11,
    endLine: 11,
    lines: [],
    method: "exact",
    isChanged: true,
    ...anchor,
  };
  const candidate = {
    id: "id",
    finding,
    anchor: anchor === null ? null : placed,
    severity: finding.severity,
    file: A,
    facts: null,
    sources: [finding],
    ...more,
  };
  return unchangedCode(candidate, {
    analysis: analysisOf(changeOf([A, B, C])),
    config: configTreeOf(),
    located: [],
    carriage: new Map(),
    scope,
    feedbackOn: () => null,
    hasTooling: false,
  });
}

/** Lines at the head: 10 " before", 11 "+read", 12 "+new", 13 " after". */
const CASES: readonly (readonly [
  what: string,
  scope: Scope,
  anchor: Partial<Anchor> | null,
  isDropped: boolean,
])[] = [
  ["on a line that a model has read", scopeOf(EDITED), {}, true],
  ["on a new line", scopeOf(EDITED), { startLine: 12, endLine: 12 }, false],
  ["on lines of which one is new", scopeOf(EDITED), { endLine: 12 }, false],
  ["on a removed line that a model has read", scopeOf(EDITED), { side: "old" }, true],
  [
    "on a line that only rules have read",
    scopeOf({ ...CARRIED, readings: [null, READ, UNREAD, READ, null] }),
    {},
    false,
  ],
  ["on context of a hunk with a new line", scopeOf(EDITED), { startLine: 13, endLine: 13 }, false],
  ["on context of a hunk that a model has read", scopeOf(CARRIED), { startLine: 13, endLine: 13 }, true],
  ["without a place", scopeOf(CARRIED), null, false],
  ["outside the hunks", scopeOf(CARRIED), { startLine: 50, endLine: 50 }, false],
  ["in a review of everything", fullScope([A, B, C], "requested", "h1"), {}, false],
  [
    "in a review of everything whose lines were read",
    { ...scopeOf(CARRIED), full: "model-changed" },
    {},
    false,
  ],
];

for (const [what, scope, anchor, isDropped] of CASES) {
  test(`a model's finding ${what} is ${isDropped ? "dropped" : "kept"}`, () => {
    const ruling = rule(scope, anchor);
    assert.equal(ruling.kind, isDropped ? "drop" : "keep");
    if (ruling.kind === "drop") assert.equal(ruling.reason, "dropped:unchanged-code");
  });
}

test("a finding of an earlier review on code that was read before is kept", () => {
  assert.equal(rule(scopeOf(CARRIED), {}, {}, { isKnown: true }).kind, "keep");
});

test("findings of rules and tools on code that was read before are kept", () => {
  for (const source of ["floor", "analyser", "sarif"] as const)
    assert.equal(rule(scopeOf(CARRIED), {}, { source, rule: "r" }).kind, "keep");
});

test("a finding on code that was read before is kept with a note if new code causes it", () => {
  const ruling = rule(scopeOf(CARRIED), {}, { causedBy: "b.ts" });
  assert.deepEqual(ruling, {
    kind: "severity",
    severity: "major",
    note: "its code was reviewed before; new code in b.ts causes it",
  });
});

const NOT_NEW: readonly (readonly [string, string])[] = [
  ["has nothing new", "c.ts"],
  ["isn't part of the change", "elsewhere.ts"],
];

for (const [what, causedBy] of NOT_NEW) {
  test(`a finding that is said to be caused by a file that ${what} is dropped`, () =>
    assert.equal(rule(scopeOf(CARRIED), {}, { causedBy }).kind, "drop"));
}

test("code that only moved or was rebased causes nothing", () => {
  for (const status of ["moved", "rebased", "carried"] as const) {
    const scope = scopeOf(CARRIED, { status, readings: [READ] });
    assert.equal(rule(scope, {}, { causedBy: "b.ts" }).kind, "drop", status);
  }
});
