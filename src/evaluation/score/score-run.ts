/** Scores a run: everything about it as one value, from its files alone. The same files give the same value. */
import { compareTexts } from "../../base/compare-texts.ts";
import type { CaseRun } from "../run/case-run.ts";
import type { RunCase, RunFile } from "../run/run-file.ts";
import type { SetProblem } from "../set/evaluation-set.ts";
import { type ComparedReview, compareReview, isShown } from "./compare-case.ts";
import { estimate, figuresOf, NO_TALLY, round, share, type AnswerTally } from "./figures.ts";
import { calibrationOf, lossesOf, verificationOf } from "./loss-tables.ts";
import { SCORE_FORMAT, SCORE_KIND, type CaseScore, type JudgeScore, type Score } from "./score.ts";
import { sliceReviews } from "./slices.ts";

export type RunResults = {
  readonly run: RunFile;
  readonly runs: readonly CaseRun[];
  /** Files that couldn't be read. */
  readonly problems: readonly SetProblem[];
};

export function scoreRun({ run, runs, problems }: RunResults, judge: JudgeScore | null = null): Score {
  const cases = new Map(run.cases.map((each) => [each.id, each]));
  const wanted = run.cases.length * run.settings.repeat;
  const sorted = runs
    .filter((each) => cases.has(each.case))
    .toSorted((a, b) => compareTexts(a.case, b.case) || a.repeat - b.repeat);
  const done = sorted.filter(({ failure }) => failure === null);
  const failures = sorted.flatMap(({ case: id, repeat, failure }) =>
    failure === null ? [] : [{ case: id, repeat, failure }],
  );
  const partial = done.flatMap(({ case: id, repeat, conclusion }) =>
    conclusion === null || conclusion === "complete" ? [] : [{ case: id, repeat, conclusion }],
  );
  const reviews = done.flatMap((each) => {
    const of = cases.get(each.case);
    return of === undefined ? [] : [compareReview(each, of)];
  });
  const scores = run.cases.map((each) =>
    scoreCase(
      each,
      reviews.filter(({ of }) => of === each),
    ),
  );
  const seen = Map.groupBy(sorted, (each) => each.case);
  const notRun = run.cases
    .filter(({ id }) => (seen.get(id)?.length ?? 0) < run.settings.repeat)
    .map(({ id }) => id);
  return {
    kind: SCORE_KIND,
    format: SCORE_FORMAT,
    reviewer: run.reviewer,
    set: run.set,
    settings: run.settings,
    reviews: {
      wanted,
      done: done.length,
      failed: failures.length,
      notRun: Math.max(0, wanted - sorted.length),
      partial: partial.length,
    },
    failures,
    partial,
    notRun,
    problems: [...run.problems, ...problems],
    total: figuresOf(scores.filter(({ reviews: count }) => count > 0)),
    ...sliceReviews(reviews),
    sound: scoreSound(reviews),
    cost: addCosts(sorted),
    losses: lossesOf(reviews),
    calibration: calibrationOf(reviews),
    verification: verificationOf(reviews),
    judge,
    cases: scores,
  };
}

function scoreCase({ id, isSound }: RunCase, reviews: readonly ComparedReview[]): CaseScore {
  const tallies = reviews.map(tallyOf);
  const sum = (key: keyof AnswerTally): number => tallies.reduce((total, tally) => total + tally[key], 0);
  const costs = reviews.map(({ run }) => run.costUsd);
  return {
    id,
    isSound,
    reviews: reviews.length,
    ...NO_TALLY,
    answers: sum("answers"),
    found: sum("found"),
    shown: sum("shown"),
    right: sum("right"),
    costUsd: costs.includes(null) ? null : round(costs.reduce<number>((total, usd) => total + (usd ?? 0), 0)),
  };
}

export function tallyOf({ findings, answers }: ComparedReview): AnswerTally {
  const shown = findings.filter(({ finding }) => isShown(finding));
  const right = shown.filter(({ answer }) => answer !== null).length;
  return { answers: answers.length, found: right, shown: shown.length, right };
}

/** A sound pull request should get no finding. */
function scoreSound(reviews: readonly ComparedReview[]): Score["sound"] {
  const sound = reviews.filter(({ of }) => of.isSound);
  const byCase = Map.groupBy(sound, ({ of }) => of.id);
  const rows = [...byCase.values()].map((same) => [
    same.reduce((sum, review) => sum + tallyOf(review).shown, 0),
    same.length,
  ]);
  const [perReview = { value: null, low: null, high: null }] = estimate(
    rows,
    2,
    ([findings = 0, count = 0]) => [share(findings, count)],
  );
  return {
    reviews: sound.length,
    findings: rows.reduce((sum, [findings = 0]) => sum + findings, 0),
    perReview,
  };
}

/** Failed reviews cost something too. */
function addCosts(runs: readonly CaseRun[]): Score["cost"] {
  const priced = runs.flatMap(({ costUsd }) => costUsd ?? []);
  const usd = round(priced.reduce((sum, each) => sum + each, 0));
  const times = runs.filter(({ failure }) => failure === null).map(({ ms }) => ms);
  const sum = (key: keyof CaseRun["tokens"]): number =>
    runs.reduce((total, { tokens }) => total + tokens[key], 0);
  return {
    usd,
    unpricedReviews: runs.length - priced.length,
    perReviewUsd: round(share(usd, priced.length)),
    tokens: { input: sum("input"), cachedInput: sum("cachedInput"), output: sum("output") },
    firstCallTokens: quantile(
      runs.flatMap(({ firstCallTokens }) => firstCallTokens ?? []),
      0.5,
    ),
    ms: times.length === 0 ? null : { median: quantile(times, 0.5) ?? 0, p95: quantile(times, 0.95) ?? 0 },
  };
}

function quantile(values: readonly number[], at: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * at) - 1] ?? null;
}
