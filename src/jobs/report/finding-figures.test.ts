import assert from "node:assert/strict";
import { test } from "node:test";
import { countReportedRows, type ReportedFindingRow } from "../../store/repositories/daily-findings.ts";
import { countedFindings, findingFiguresOf } from "./finding-figures.ts";

type Given = Partial<ReportedFindingRow> & { readonly confidence?: number; readonly verdict?: string };

function finding({ confidence, verdict, ...row }: Given): ReportedFindingRow {
  const verification = verdict === undefined ? {} : { verification: { verdict, model: "m" } };
  const sources = confidence === undefined ? null : JSON.stringify([{ confidence, ...verification }]);
  return {
    id: 1,
    repository_id: 7,
    told_at: 1,
    severity: "minor",
    category: "correctness",
    source: "model",
    sources,
    state: "open",
    merged_at: null,
    mode: "balanced",
    outcome: null,
    ...row,
  };
}

const figuresOf = (rows: readonly ReportedFindingRow[]) => findingFiguresOf(countReportedRows(rows));

const times = (count: number, given: Given) => Array.from({ length: count }, () => finding(given));

test("findings are counted by what was known about them, and older ones are unknown", () => {
  const findings = [
    finding({ confidence: 0.85, verdict: "confirmed", outcome: "accepted" }),
    finding({ confidence: 0.9, outcome: "dismissed", source: "floor", mode: "strict" }),
    finding({ outcome: "accepted", source: "analyser", category: "style", mode: null }),
    finding({ confidence: 0.1, outcome: null }),
  ];
  assert.equal(countedFindings(countReportedRows(findings)), 4);
  const figures = figuresOf(findings);
  const acceptances = (groups: object) =>
    Object.entries(groups).map(([key, { acceptance }]) => `${key} ${acceptance}`);
  assert.deepEqual(acceptances(figures.byConfidence), [
    "0.9 to 1.0 0",
    "0.8 to <0.9 1",
    "0.0 to <0.5 null",
    "unknown 1",
  ]);
  assert.deepEqual(acceptances(figures.bySource), ["linter 1", "model 1", "rule 0"]);
  assert.deepEqual(acceptances(figures.byCategory), ["correctness 0.5", "style 1"]);
  assert.deepEqual(acceptances(figures.byVerdict), ["confirmed 1", "not checked 0", "unknown 1"]);
  assert.deepEqual(acceptances(figures.byMode), ["balanced 1", "strict 0", "unknown 1"]);
  assert.equal(figures.byConfidence["0.0 to <0.5"]?.unknown, 1);
  assert.equal(figures.atMerge.resolution, null);
});

test("the resolution counts findings of merged pull requests only", () => {
  const merged = { merged_at: 1 };
  const { atMerge } = figuresOf([
    finding({ ...merged, state: "verified" }),
    finding({ ...merged, state: "addressed" }),
    finding({ ...merged, state: "waived" }),
    finding({ ...merged, state: "open" }),
    finding({ state: "verified" }),
  ]);
  assert.deepEqual(atMerge, {
    merged: 4,
    resolved: 1,
    changed: 1,
    declined: 1,
    unchanged: 1,
    removed: 0,
    resolution: 0.25,
  });
});

test("a setting is advised only if it would have hidden mostly dismissed findings, and enough of them", () => {
  const spread = (dismissed: number, accepted: number) => [
    ...times(dismissed, { confidence: 0.65, outcome: "dismissed" }),
    ...times(accepted, { confidence: 0.65, outcome: "accepted" }),
    ...times(30, { confidence: 0.95, outcome: "accepted" }),
  ];
  assert.deepEqual(figuresOf(spread(14, 2)).advice, {
    setting: "review.minConfidence: 0.7",
    dismissed: 14,
    accepted: 2,
  });
  assert.equal(figuresOf(spread(9, 0)).advice, null);
  assert.equal(figuresOf(spread(14, 3)).advice, null);
  const grave = finding({ confidence: 0.65, outcome: "accepted", severity: "critical" });
  assert.equal(figuresOf([...spread(20, 0), grave]).advice, null);
  const style = times(12, { confidence: 0.95, outcome: "dismissed", category: "style" });
  assert.deepEqual(figuresOf([...spread(0, 0), ...style]).advice, {
    setting: "review.patterns.ignore: [style]",
    dismissed: 12,
    accepted: 0,
  });
});
