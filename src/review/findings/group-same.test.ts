import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import type { Anchor, Finding } from "./finding.ts";
import { groupSame } from "./group-same.ts";
import { identifyFindings, type Identified } from "./identify-findings.ts";

function placed(given: Partial<Finding>, startLine: number, endLine = startLine) {
  const finding = findingOf(given);
  const anchor: Anchor = {
    path: finding.path,
    side: "new",
    startLine,
    endLine,
    lines: [`line ${startLine}`],
    method: "exact",
    isChanged: true,
  };
  return { finding, anchor };
}

/** The titles of each group. */
function titlesOf(found: readonly ReturnType<typeof placed>[]): readonly (readonly string[])[] {
  return groupSame(identifyFindings(found, new Map())).map((group) =>
    group.map(({ finding }) => finding.title),
  );
}

const RULE = {
  source: "floor",
  rule: "floating-promise",
  pass: "floor",
  title: "Promise is never awaited",
} as const;
const MODEL = { title: "The promise of `save` is not awaited" } as const;

const DISTANCES: readonly (readonly [what: string, line: number, groups: number])[] = [
  ["on the same line", 10, 1],
  ["three lines below", 13, 1],
  ["three lines above", 7, 1],
  ["further away", 14, 2],
];

for (const [what, line, groups] of DISTANCES)
  test(`a rule's report ${what} of a model's`, () =>
    assert.equal(titlesOf([placed(RULE, 10), placed(MODEL, line)]).length, groups));

test("a model's text comes first, of two models the more confident, and a secret's rule before all", () => {
  const sure = { ...MODEL, title: "A promise of `save` is not awaited", confidence: 0.95 };
  assert.deepEqual(titlesOf([placed(RULE, 5), placed(MODEL, 5), placed(sure, 5)]), [
    [sure.title, MODEL.title, RULE.title],
  ]);
  const secret = { ...RULE, rule: "secret-in-code" };
  assert.deepEqual(titlesOf([placed(sure, 5), placed(secret, 5)]), [[secret.title, sure.title]]);
});

const ANY = fc
  .record({
    by: fc.constantFrom(
      { source: "model", rule: null, pass: "review" } as const,
      { source: "model", rule: null, pass: "second" } as const,
      { source: "floor", rule: "floating-promise", pass: "floor" } as const,
      { source: "analyser", rule: "oxlint/no-floating-promises", pass: "floor" } as const,
      { source: "floor", rule: "secret-in-code", pass: "floor" } as const,
    ),
    title: fc.constantFrom(
      "Promise is not awaited",
      "The promise of `save` is not awaited",
      "Floating promise: `load` is never awaited",
      "A failed write of `save` is lost: nothing awaits the promise",
      "Hard-coded secret",
      "Something else",
    ),
    category: fc.constantFrom("correctness", "security", "style"),
    severity: fc.constantFrom("critical", "medium"),
    confidence: fc.constantFrom(0.5, 0.9),
    line: fc.integer({ min: 1, max: 14 }),
    length: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ by, line, length, ...given }) => placed({ ...by, ...given }, line, line + length));

test("the groups, their order and their ids are the same for any order of the findings", () => {
  const found = fc.array(ANY, { maxLength: 14 });
  const ordered = found.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
  );
  const shown = (all: readonly ReturnType<typeof placed>[]) =>
    groupSame(identifyFindings(all, new Map())).map((group) =>
      group.map(({ id, finding, anchor }) => JSON.stringify([id, finding, anchor])),
    );
  let merged = 0;
  fc.assert(
    fc.property(ordered, ([one, other]) => {
      const groups = shown(one);
      assert.deepEqual(shown(other), groups);
      assert.equal(groups.flat().length, one.length, "every report is in one group");
      merged += groups.filter((group) => group.length > 1).length;
    }),
  );
  assert.ok(merged > 0, "some are merged");
});

test("a flood of reports on one line stays bounded: each is compared with a limited number of others", () => {
  let compared = 0;
  const all = Array.from({ length: 3000 }, (_, index): Identified => {
    const { finding, anchor } = placed({ title: `\`name${index}\` is wrong` }, 1);
    const counted = Object.defineProperty({ ...finding }, "title", {
      get: () => (compared++, finding.title),
      enumerable: true,
    });
    return { id: `${index}`, finding: counted, anchor };
  });
  assert.equal(groupSame(all).length, all.length);
  assert.ok(compared < 3000 * 700, String(compared));
});
