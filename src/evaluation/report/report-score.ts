/** A score as a report. */
import { count, grouped } from "../../base/count.ts";
import { describeUsd } from "../../review/publication/words.ts";
import type { LossRow, Score, Slice } from "../score/score.ts";
import type { Bar, EvalReport, ReportSection } from "./eval-report.ts";
import { estimateOf, plainNumber, numberWithInterval, percentOf, secondsOf } from "./words.ts";

/** JSON has all. */
const MAX_LISTED = 10;

export function reportScore(score: Score): EvalReport {
  const { set, settings, reviews } = score;
  const options = [
    ...(settings.verify === null ? [] : [`verify ${settings.verify}`]),
    ...(settings.passes === null ? [] : [count(settings.passes, "pass", "passes")]),
    ...(settings.repeat === 1 ? [] : [`${settings.repeat} reviews of each`]),
  ];
  const model = settings.model === "floor" ? "built-in rules and linters" : settings.model;
  return {
    title: `${model} on ${set.name}`,
    subtitle: [
      `Set ${set.name}, version ${set.version}`,
      `reviewer ${score.reviewer}`,
      ...options,
      `${count(reviews.done, "review")} of ${count(score.cases.length, "pull request")}`,
    ].join("; "),
    warnings: warningsOf(score),
    sections: [
      totals(score),
      ...(score.judge === null ? [] : [judged(score.judge)]),
      ...[
        slices("By language", "The main language of the pull request.", score.byLanguage),
        slices(
          "By severity",
          "Recall by the answer's severity, precision by the finding's.",
          score.bySeverity,
        ),
        slices(
          "By category",
          "Recall by the answer's category, precision by the finding's.",
          score.byCategory,
        ),
        slices("By size", "Lines added and removed by the pull request.", score.bySize),
      ].filter(({ rows }) => rows.length > 0),
      lossesOfKnown(score),
      lossesOfAll(score),
      calibration(score),
      ...(score.verification === null ? [] : [verification(score.verification)]),
      costs(score),
    ],
  };
}

/** First of all what is missing: a figure without it would mislead. */
function warningsOf({ reviews, failures, partial, notRun, problems }: Score): readonly string[] {
  const listed = (lines: readonly string[]): readonly string[] => [
    ...lines.slice(0, MAX_LISTED),
    ...(lines.length > MAX_LISTED
      ? [`… and ${grouped(lines.length - MAX_LISTED)} more; the JSON file has all`]
      : []),
  ];
  return [
    ...(reviews.failed === 0
      ? []
      : [
          `${count(reviews.failed, "review")} of ${grouped(reviews.wanted)} failed and count in no figure:`,
          ...listed(failures.map(({ case: id, repeat, failure }) => `  ${id} (${repeat}): ${failure}`)),
        ]),
    ...(reviews.notRun === 0
      ? []
      : [
          `${count(reviews.notRun, "review")} of ${grouped(reviews.wanted)} weren't run and count in no figure:`,
          ...listed(notRun.map((id) => `  ${id}`)),
        ]),
    ...(reviews.partial === 0
      ? []
      : [
          `${count(reviews.partial, "review")} ended early; the figures include them:`,
          ...listed(partial.map(({ case: id, repeat, conclusion }) => `  ${id} (${repeat}): ${conclusion}`)),
        ]),
    ...(problems.length === 0
      ? []
      : [
          `${count(problems.length, "part")} of the set or of the run couldn't be used:`,
          ...listed(problems.map(({ where, problem }) => `  ${where}: ${problem}`)),
        ]),
  ];
}

const FIGURES = ["Found", "Right", "Recall", "Precision", "F1", "F0.5"];

function figureCells({
  answers,
  found,
  shown,
  right,
  recall,
  precision,
  f1,
  f05,
}: Score["total"]): readonly string[] {
  return [
    `${grouped(found)} of ${grouped(answers)}`,
    `${grouped(right)} of ${grouped(shown)}`,
    ...[recall, precision].map(estimateOf),
    ...[f1, f05].map(({ value }) => percentOf(value)),
  ];
}

function totals({ total, sound }: Score): ReportSection {
  const bars = [
    ["Recall", total.recall] as const,
    ["Precision", total.precision] as const,
    ["F1", total.f1] as const,
    ["F0.5", total.f05] as const,
  ].flatMap(([name, { value, low, high }]): readonly Bar[] =>
    value === null ? [] : [{ name, value, low, high }],
  );
  return {
    title: "Result",
    note: "Found: known answers that a shown finding says. Right: shown findings that say one. In parentheses: what 95 of 100 samples of pull requests give; none for fewer than six pull requests.",
    columns: ["Figure", "Value"],
    rows: [
      ["Recall", `${estimateOf(total.recall)}; ${grouped(total.found)} of ${count(total.answers, "answer")}`],
      [
        "Precision",
        `${estimateOf(total.precision)}; ${grouped(total.right)} of ${count(total.shown, "finding")}`,
      ],
      ["F1", estimateOf(total.f1)],
      ["F0.5", estimateOf(total.f05)],
      [
        "Findings per sound change",
        sound.reviews === 0
          ? "the set has no sound change"
          : `${numberWithInterval(sound.perReview)}; ${grouped(sound.findings)} in ${count(sound.reviews, "review")}`,
      ],
    ],
    chart: { kind: "bars", bars },
  };
}

function judged({
  model,
  judged: reviews,
  failed,
  figures,
  pairs,
  kappa,
  costUsd,
}: NonNullable<Score["judge"]>): ReportSection {
  return {
    title: "Meaning, as a model judges it",
    note: `${model} judged ${count(reviews, "review")}${failed === 0 ? "" : ` and gave no usable answer for ${grouped(failed)}, which count in no figure of this table`}. Agreement is counted over all pairs of an answer and a shown finding.`,
    columns: ["Figure", "Value"],
    rows: [
      ["Recall", estimateOf(figures.recall)],
      ["Precision", estimateOf(figures.precision)],
      ["F1", estimateOf(figures.f1)],
      ["F0.5", estimateOf(figures.f05)],
      ["Pairs that both see", grouped(pairs.both)],
      ["Pairs by place and words only", grouped(pairs.onlyPlaceAndWords)],
      ["Pairs by the model only", grouped(pairs.onlyModel)],
      ["Pairs that neither sees", grouped(pairs.neither)],
      ["Cohen's kappa", plainNumber(kappa)],
      ["Cost", costUsd === null ? "price unknown" : describeUsd(costUsd)],
    ],
    chart: null,
  };
}

function slices(title: string, note: string, all: readonly Slice[]): ReportSection {
  return {
    title,
    note,
    columns: ["", "Pull requests", ...FIGURES],
    rows: all.map(({ name, cases, figures }) => [name, grouped(cases), ...figureCells(figures)]),
    chart: {
      kind: "bars",
      bars: all.flatMap(({ name, figures: { recall } }) =>
        recall.value === null
          ? []
          : [{ name: `${name}: recall`, value: recall.value, low: recall.low, high: recall.high }],
      ),
    },
  };
}

const FATES: Readonly<Record<string, string>> = {
  shown: "shown",
  "not-placed": "lost: not placed in the change",
  merged: "lost: merged into another finding",
  "below-threshold": "lost: below the threshold",
  "over-limit": "lost: over the limit",
  withdrawn: "lost: withdrawn by the model",
  refuted: "lost: refuted by a second reading",
  dropped: "lost: dropped",
};

const PLACES: Readonly<Record<string, string>> = {
  inline: "on its line",
  summary: "in the summary, without a line",
  details: "in the list of further findings",
};

function fateOf({ fate, reason }: LossRow): string {
  const more = reason === null ? "" : `, ${PLACES[reason] ?? reason}`;
  return `${FATES[fate] ?? fate}${more}`;
}

function lossesOfKnown({ losses, total }: Score): ReportSection {
  const { known, neverReported } = losses;
  const shareOf = (part: number): string => percentOf(total.answers === 0 ? null : part / total.answers);
  return {
    title: "What became of what is known",
    note: "Each known answer once: the finding that said it was shown, or it was found and lost on the way, or no reviewer reported it.",
    columns: ["Known answers", "Number", "Share"],
    rows: [
      ...known.map((row) => [fateOf(row), grouped(row.count), shareOf(row.count)]),
      ["never reported", grouped(neverReported), shareOf(neverReported)],
    ],
    chart: null,
  };
}

function lossesOfAll({ losses: { all } }: Score): ReportSection {
  const sum = all.reduce((total, row) => total + row.count, 0);
  return {
    title: "What became of all findings",
    note: "Right and wrong ones, on sound changes too.",
    columns: ["Findings", "Number", "Share"],
    rows: all.map((row) => [fateOf(row), grouped(row.count), percentOf(sum === 0 ? null : row.count / sum)]),
    chart: null,
  };
}

function calibration({ calibration: { of, bands } }: Score): ReportSection {
  const used = bands.filter(({ findings }) => findings > 0);
  return {
    title: "Calibration",
    note: `How often ${of === "model" ? "findings of the model" : "findings"} are right, by their confidence. A finding that says something true that the set doesn't know counts as wrong.`,
    columns: ["Confidence", "Findings", "Right", "Share right", "Mean confidence"],
    rows: bands.map(({ from, to, findings, right, meanConfidence }) => [
      `${from.toFixed(1)} to ${to.toFixed(1)}`,
      grouped(findings),
      grouped(right),
      percentOf(findings === 0 ? null : right / findings),
      plainNumber(meanConfidence),
    ]),
    chart: {
      kind: "calibration",
      points: used.map(({ findings, right, meanConfidence }) => ({
        x: meanConfidence ?? 0,
        y: right / findings,
        weight: findings,
      })),
    },
  };
}

function verification(tallies: NonNullable<Score["verification"]>): ReportSection {
  const meaning = {
    confirmed: ["true ones confirmed", "false ones confirmed"],
    refuted: ["true ones refuted", "false ones caught"],
    unsure: ["true ones left unsure", "false ones left unsure"],
  } as const;
  return {
    title: "Second readings",
    note: "A finding is true when it says a known answer.",
    columns: ["Verdict", "Number"],
    rows: (["confirmed", "refuted", "unsure"] as const).flatMap((verdict) => [
      [meaning[verdict][0], grouped(tallies[verdict].right)],
      [meaning[verdict][1], grouped(tallies[verdict].wrong)],
    ]),
    chart: null,
  };
}

function costs({ cost, settings }: Score): ReportSection {
  const { usd, unpricedReviews, perReviewUsd, tokens, firstCallTokens, ms } = cost;
  const unpriced =
    unpricedReviews === 0 ? "" : `, and ${count(unpricedReviews, "review")} without a known price`;
  const isFloor = settings.model === "floor";
  return {
    title: "Cost and time",
    note: "Costs are list prices, and include the most that interrupted requests can have cost.",
    columns: ["Figure", "Value"],
    rows: [
      ["Cost", isFloor ? "none: no model took part" : `${describeUsd(usd)}${unpriced}`],
      ["Cost per review", isFloor || perReviewUsd === null ? "–" : describeUsd(perReviewUsd)],
      [
        "Tokens",
        `${grouped(tokens.input)} in (${grouped(tokens.cachedInput)} cached), ${grouped(tokens.output)} out`,
      ],
      ["Tokens of the first call", firstCallTokens === null ? "–" : `median ${grouped(firstCallTokens)}`],
      [
        "Time per review",
        ms === null ? "–" : `median ${secondsOf(ms.median)}, 95 of 100 within ${secondsOf(ms.p95)}`,
      ],
    ],
    chart: null,
  };
}
