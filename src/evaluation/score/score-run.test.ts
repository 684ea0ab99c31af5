/** Scores made of results written by hand: every way to lose a finding, failures, calibration, comparison, and the pages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, caseRun, evaluated, results, runCase } from "../../../test/support/evaluation-fixtures.ts";
import { renderEvalHtml } from "../report/render-eval-html.ts";
import { renderEvalMarkdown, renderEvalTerminal } from "../report/render-eval-text.ts";
import { reportComparison } from "../report/report-comparison.ts";
import { reportScore } from "../report/report-score.ts";
import type { EvaluatedFinding } from "../run/case-run.ts";
import { compareScores, dropsIn } from "./compare-scores.ts";
import { kappaOf } from "./judge-reviews.ts";
import { scoreRun } from "./score-run.ts";
import { Score } from "./score.ts";

const LOST: readonly (readonly [fate: EvaluatedFinding["fate"], reason: string | null])[] = [
  ["not-placed", null],
  ["merged", null],
  ["below-threshold", null],
  ["over-limit", null],
  ["withdrawn", null],
  ["refuted", null],
  ["dropped", "suppressed:config"],
];

const hidden = (fate: EvaluatedFinding["fate"], reason: string | null): EvaluatedFinding =>
  evaluated({ fate, reason, placement: null, verdict: fate === "refuted" ? "refuted" : null });

test("the loss table says of each known answer how it was lost, and of all findings", () => {
  const cases = [
    ...LOST.map(([fate]) => runCase(fate, [answer()])),
    runCase("shown", [answer()]),
    runCase("missed", [answer()]),
  ];
  const runs = [
    ...LOST.map(([fate, reason]) =>
      caseRun(fate, [hidden(fate, reason), evaluated({ title: "Rename", lines: [90, 90] })]),
    ),
    caseRun("shown", [evaluated(), hidden("refuted", null)]),
    caseRun("missed", []),
  ];
  const { losses, total, verification, calibration } = scoreRun(results(cases, runs));
  const known = Object.fromEntries(
    losses.known.map(({ fate, reason, count }) => [`${fate} ${reason ?? ""}`.trim(), count]),
  );
  assert.deepEqual(known, {
    "shown inline": 1,
    "not-placed": 1,
    merged: 1,
    "below-threshold": 1,
    "over-limit": 1,
    withdrawn: 1,
    refuted: 1,
    "dropped suppressed:config": 1,
  });
  assert.equal(losses.neverReported, 1);
  assert.equal(losses.all.find(({ fate }) => fate === "refuted")?.count, 2);
  assert.deepEqual([total.answers, total.found, total.shown, total.right], [9, 1, 8, 1]);
  // The second reading refuted one that was true, and caught one that repeated a shown finding.
  assert.deepEqual(verification?.refuted, { right: 1, wrong: 1 });
  const last = calibration.bands.at(-1);
  assert.deepEqual([last?.findings, last?.right], [14, 6]);
});

test("a shown finding elsewhere doesn't take the answer of a lost one at its place", () => {
  const lost = hidden("dropped", "suppressed:config");
  const alike = evaluated({ lines: [90, 90] });
  const countKnown = (findings: readonly EvaluatedFinding[]) =>
    scoreRun(results([runCase("one", [answer()])], [caseRun("one", findings)]))
      .losses.known.filter(({ count }) => count > 0)
      .map(({ fate }) => fate);
  assert.deepEqual(countKnown([alike]), ["shown"]);
  assert.deepEqual(countKnown([alike, lost]), ["dropped"]);
  assert.deepEqual(
    countKnown([alike, hidden("merged", null)]),
    ["shown"],
    "a reader saw it in the other one",
  );
  assert.deepEqual(countKnown([evaluated(), lost]), ["shown"]);
});

test("failed and missing reviews count in no figure and come first, and partial ones are named", () => {
  const cases = ["done", "failed", "missing", "partial"].map((id) => runCase(id, [answer()]));
  const runs = [
    caseRun("done", [evaluated()]),
    caseRun("failed", [], { failure: "the repository isn't there", conclusion: null }),
    caseRun("partial", [evaluated()], { conclusion: "timeout-partial" }),
  ];
  const score = scoreRun(results(cases, runs));
  assert.deepEqual(score.reviews, { wanted: 4, done: 2, failed: 1, notRun: 1, partial: 1 });
  assert.equal(score.total.recall.value, 1);
  const text = renderEvalTerminal(reportScore(score));
  assert.ok(text.indexOf("INCOMPLETE") < text.indexOf("Recall"));
  for (const words of ["the repository isn't there", "missing", "timeout-partial"])
    assert.match(text, new RegExp(words));
});

/** Ten defects of which `found` are found, and ten sound changes. */
function manyCases(found: number, onSound = 0) {
  const cases = [
    ...Array.from({ length: 10 }, (_, at) => runCase(`d${at}`, [answer()])),
    ...Array.from({ length: 10 }, (_, at) => runCase(`s${at}`, [])),
  ];
  const runs = cases.map(({ id, isSound }, at) =>
    caseRun(id, (isSound ? at - 10 < onSound : at < found) ? [evaluated()] : []),
  );
  return results(cases, runs);
}

test("the same files give the same bytes, in whatever order they are read", () => {
  const one = manyCases(6);
  const other = { ...one, runs: one.runs.toReversed() };
  const [first, second] = [scoreRun(one), scoreRun(other)];
  assert.equal(JSON.stringify(first), JSON.stringify(second));
  assert.equal(renderEvalHtml(reportScore(first)), renderEvalHtml(reportScore(second)));
  assert.deepEqual(Score.parse(JSON.parse(JSON.stringify(first))), first);
  const { low, high } = first.total.recall;
  assert.ok(low !== null && high !== null && low < 0.6 && high > 0.6);
});

test("equal runs show no difference, a clear drop is one, and other versions of a set aren't compared", () => {
  const same = compareScores(scoreRun(manyCases(6)), scoreRun(manyCases(6)));
  assert.deepEqual(new Set(same.figures.map(({ verdict }) => verdict)), new Set(["none"]));
  assert.match(renderEvalTerminal(reportComparison(same)), /No difference that this set can show/);
  assert.deepEqual(dropsIn(same), []);
  const noise = compareScores(scoreRun(manyCases(6)), scoreRun(manyCases(5)));
  assert.deepEqual(dropsIn(noise), []);
  const worse = compareScores(scoreRun(manyCases(10)), scoreRun(manyCases(3, 9)));
  assert.deepEqual(
    dropsIn(worse).map(({ name }) => name),
    ["recall", "precision", "findings per sound change"],
  );
  const other = scoreRun({
    ...manyCases(6),
    run: { ...manyCases(6).run, set: { name: "tiny", version: "2" } },
  });
  assert.throws(() => compareScores(scoreRun(manyCases(6)), other), /different versions of tiny, 1 and 2/);
});

test("too few pull requests show no difference, however large it is", () => {
  const three = (found: boolean) =>
    scoreRun(
      results(
        [1, 2, 3].map((at) => runCase(`${at}`, [answer()])),
        [1, 2, 3].map((at) => caseRun(`${at}`, found ? [evaluated()] : [])),
      ),
    );
  const compared = compareScores(three(true), three(false));
  assert.deepEqual(dropsIn(compared), []);
  assert.equal(compared.figures[0]?.difference.value, -1);
});

const HOSTILE = `</title><script>alert(1)</script><img src=x onerror=alert(1)> "'|[x](javascript:alert(1)) \u202e @everyone`;

test("the page loads nothing, and texts of sets and models stay text in every format", () => {
  const { run, ...rest } = manyCases(6);
  const set = { name: HOSTILE, version: HOSTILE };
  const runs = [...rest.runs.slice(1), caseRun("d0", [], { failure: HOSTILE, conclusion: null })];
  const report = reportScore(scoreRun({ ...rest, runs, run: { ...run, set, reviewer: HOSTILE } }));
  const html = renderEvalHtml(report);
  assert.doesNotMatch(html, /<(?:script|img|link|iframe|object|embed|a)\b/i);
  // Outside of escaped texts, no attribute names another file.
  assert.doesNotMatch(html, /<[^>]*\s(?:src|href|style|on\w+)\s*=|url\(|@import/i);
  assert.match(html, /&lt;script&gt;/);
  assert.doesNotMatch(html, /\u202e/);
  assert.match(html, /<svg /);
  const markdown = renderEvalMarkdown(report);
  assert.doesNotMatch(markdown, /<script|[^\\]\]\(javascript:/);
  assert.doesNotMatch(renderEvalTerminal(report), /\u202e/);
});

test("agreement beyond chance", () => {
  assert.equal(kappaOf({ both: 20, onlyPlaceAndWords: 5, onlyModel: 10, neither: 15 }), 0.4);
  assert.equal(kappaOf({ both: 0, onlyPlaceAndWords: 0, onlyModel: 0, neither: 0 }), null);
});
