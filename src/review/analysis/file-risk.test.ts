import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { configOf } from "../../../test/support/analysis-fixtures.ts";
import { riskOf, type RiskFacts, type RiskWeights } from "./file-risk.ts";

const WEIGHTS = configOf().values.largePR.riskWeights;
const ZERO: RiskWeights = { lines: 0, path: 0, category: 0, language: 0, executable: 0 };

function facts(given: Partial<RiskFacts> = {}): RiskFacts {
  return {
    path: "src/a.ts",
    category: "source",
    language: "typescript",
    mark: null,
    addedLines: 10,
    removedLines: 0,
    newMode: "100644",
    ...given,
  };
}

const RISKIER_THAN: readonly [what: string, more: Partial<RiskFacts>, less: Partial<RiskFacts>][] = [
  ["more lines", { addedLines: 100 }, { addedLines: 10 }],
  ["removed lines count too", { removedLines: 10 }, {}],
  ["a risky path", { path: "src/auth.ts" }, { path: "src/author.ts" }],
  ["source before test", {}, { category: "test" }],
  ["infra before config", { category: "infra" }, { category: "config" }],
  ["test before docs", { category: "test" }, { category: "docs" }],
  ["C before TypeScript", { language: "c" }, {}],
  ["code before data", {}, { language: "json" }],
  ["executable mode", { language: "unknown", newMode: "100755" }, { language: "unknown" }],
  [
    "anything before generated",
    { category: "docs", language: "unknown", addedLines: 0 },
    { mark: "generated" },
  ],
];

test("files are ranked by the cost of a mistake", () => {
  for (const [what, more, less] of RISKIER_THAN) {
    assert.ok(riskOf(facts(more), WEIGHTS) > riskOf(facts(less), WEIGHTS), what);
  }
});

test("the scale ends at 0 and 100", () => {
  const worst = facts({ path: "src/auth.c", language: "c", addedLines: 1_000_000 });
  assert.equal(riskOf(worst, WEIGHTS), 100);
  for (const mark of ["lockfile", "generated", "vendored", "minified"] as const) {
    assert.equal(riskOf({ ...worst, mark }, WEIGHTS), 0);
  }
  assert.equal(riskOf(worst, ZERO), 0);
});

test("weights are scaled to add up to one", () => {
  assert.equal(riskOf(facts(), { ...ZERO, category: 0.01 }), 100);
  assert.equal(riskOf(facts({ category: "config" }), { ...ZERO, category: 1 }), 50);
  assert.equal(riskOf(facts({ category: "config" }), { ...ZERO, category: 1, executable: 1 }), 75);
});

test("risk is always within 0 and 100", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const weights = fc.record({
    lines: share,
    path: share,
    category: share,
    language: share,
    executable: share,
  });
  const lines = fc.nat(10_000_000);
  const property = fc.property(
    weights,
    lines,
    lines,
    fc.string(),
    (given, addedLines, removedLines, path) => {
      const risk = riskOf(facts({ addedLines, removedLines, path }), given);
      return risk >= 0 && risk <= 100;
    },
  );
  fc.assert(property);
});
