import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import { priorFinding, priorRun } from "../../../test/support/prior-fixtures.ts";
import { UNREAD } from "../change/readings.ts";
import { isFileUnread, type Scope } from "../change/scope.ts";
import { decideScope, placesSince, scopeForModel } from "./decide-scope.ts";
import { NO_PRIOR_REVIEW } from "./prior-findings.ts";
import type { PriorReview, PriorRun } from "./prior-review.ts";

const A = changedFile({ path: "a.ts", lines: ["+one", "+two"] });
const B = changedFile({ path: "b.ts", lines: ["+three"] });

/** At "h1", a model read this diff. */
const READ = { model: { id: "a:x", head: "h1" } };

function runOf(more: Partial<PriorRun> = {}): PriorRun {
  return priorRun({ head: "h1", config: "c1", readings: { usual: READ, others: [] }, files: [A], ...more });
}

function priorOf(...runs: readonly PriorRun[]): PriorReview {
  return { runs, findings: [] };
}

const REQUEST = { files: [A, B], prior: priorOf(runOf()), isFull: false, config: "c1" };

const FULL: readonly (readonly [
  what: string,
  request: Partial<Parameters<typeof decideScope>[0]>,
  full: Scope["full"],
  since: string | null,
])[] = [
  ["the first review", { prior: NO_PRIOR_REVIEW }, "first", null],
  [
    "the first review, with a request to read everything",
    { prior: NO_PRIOR_REVIEW, isFull: true },
    "first",
    null,
  ],
  ["a request to read everything", { isFull: true }, "requested", "h1"],
  ["another configuration", { config: "c2" }, "config-changed", "h1"],
  [
    "a last review whose commits are gone",
    { prior: priorOf(runOf({ files: null })) },
    "prior-unreachable",
    "h1",
  ],
  [
    "a last review whose commits are gone, and another configuration",
    { prior: priorOf(runOf({ files: null })), config: "c2" },
    "prior-unreachable",
    "h1",
  ],
  [
    "a last review whose commits are gone, and an older one that is known",
    { prior: priorOf(runOf({ head: "h2", files: null }), runOf()) },
    "prior-unreachable",
    "h2",
  ],
];

for (const [what, request, full, since] of FULL) {
  test(`${what}: everything is read (${full})`, () => {
    const scope = decideScope({ ...REQUEST, ...request });
    assert.deepEqual([scope.full, scope.since], [full, since]);
    for (const { path } of REQUEST.files) assert.ok(isFileUnread(path, scope), path);
    assert.deepEqual([...scope.byPath.keys()], ["a.ts", "b.ts"]);
    assert.deepEqual(scope.byPath.get("a.ts"), [{ status: "new", readings: [UNREAD, UNREAD] }]);
  });
}

test("a second review reads what the last one hasn't read", () => {
  const scope = decideScope(REQUEST);
  assert.deepEqual([scope.full, scope.since], [null, "h1"]);
  assert.deepEqual(scope.byPath.get("a.ts"), [{ status: "carried", readings: [READ, READ] }]);
  assert.deepEqual(scope.byPath.get("b.ts"), [{ status: "new", readings: [UNREAD] }]);
});

test("code that an older review has read isn't read again when it comes back, also if another one is unreachable", () => {
  const prior = priorOf(
    runOf({ head: "h3", files: [A] }),
    runOf({ head: "h2", files: null }),
    runOf({ head: "h1", files: [A, B] }),
  );
  const scope = decideScope({ ...REQUEST, prior });
  assert.deepEqual([scope.full, scope.since], [null, "h3"]);
  assert.deepEqual(scope.byPath.get("b.ts"), [{ status: "carried", readings: [READ] }]);
});

test("code that comes back is read again where a finding was resolved, or where its code wasn't checked since", () => {
  const { runs } = priorOf(runOf({ head: "h2", files: [A] }), runOf({ files: [A, B] }));
  const unread = (["open", "addressed", "verified", "expired", "contested"] as const).filter((state) => {
    const prior = { runs, findings: [priorFinding({ path: "b.ts", state })] };
    return isFileUnread("b.ts", decideScope({ ...REQUEST, prior }));
  });
  assert.deepEqual(unread, ["addressed", "verified", "expired"]);
});

test("a model reads everything that only rules have read", () => {
  const byRules = runOf({ readings: { usual: UNREAD, others: [] } });
  for (const prior of [priorOf(byRules), priorOf({ ...byRules, head: "h2" }, runOf())])
    assert.equal(scopeForModel(decideScope({ ...REQUEST, prior })).full, "model-changed");
  const some = {
    path: "a.ts",
    spans: [
      { lines: 1, reading: UNREAD },
      { lines: 1, reading: READ },
    ],
  };
  for (const prior of [
    REQUEST.prior,
    priorOf(runOf({ readings: { usual: UNREAD, others: [some] } })),
    // Nothing of the last review is left, or its code came back from an even earlier one.
    priorOf(runOf({ files: [] })),
    priorOf(runOf({ files: [], readings: { usual: UNREAD, others: [] } }), runOf()),
  ]) {
    const scope = decideScope({ ...REQUEST, prior });
    assert.equal(scopeForModel(scope), scope);
  }
  const requested = decideScope({ ...REQUEST, prior: priorOf(byRules), isFull: true });
  assert.equal(scopeForModel(requested), requested);
});

test("places of the last review are found in this one; without its diff they may be anywhere in the file", () => {
  const place = { path: "a.ts", side: "new", startLine: 2, endLine: 2 } as const;
  const shifted = [changedFile({ path: "a.ts", lines: ["+zero", "+one", "+two"] })];
  assert.deepEqual(placesSince(shifted, REQUEST.prior)(place), {
    kind: "same",
    ...place,
    startLine: 3,
    endLine: 3,
  });
  const fixed = [changedFile({ path: "a.ts", lines: ["+one", "+fixed"] })];
  assert.deepEqual(placesSince(fixed, REQUEST.prior)(place), { kind: "changed", ...place });
  assert.deepEqual(placesSince([B], REQUEST.prior)(place), { kind: "gone" });
  for (const prior of [NO_PRIOR_REVIEW, priorOf(runOf({ files: null }), runOf())])
    assert.deepEqual(placesSince([B], prior)(place), { kind: "unknown", path: "a.ts" });
});
