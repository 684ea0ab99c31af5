/**
 * The outcomes of reported findings, by what was known about them when they were reported, and a setting that would have hidden mostly
 * dismissed ones. Pure.
 */
import { CATEGORIES } from "../../base/severity.ts";
import {
  type CountedFindings,
  type CountedOutcome,
  type FindingCounts,
  type FindingGrouping,
  listCounts,
  UNKNOWN_VALUE,
} from "../../store/repositories/daily-findings.ts";
import type { FindingFigures, OutcomeFigures, SettingAdvice } from "./report.ts";

/** Lowest confidence of each band, highest first. They follow the settings that people use: `verifyBelow` is 0.8. */
const BANDS = [0.9, 0.8, 0.7, 0.6, 0.5, 0] as const;

/** Fewer may be one person's taste, or one file. */
const MIN_DISMISSED = 10;

/** A hidden finding that would have been accepted costs more than one that is dismissed. */
const MIN_DISMISSED_PER_ACCEPTED = 5;

const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

const SOURCE_NAMES: Readonly<Record<string, string>> = {
  floor: "rule",
  analyser: "linter",
  sarif: "sarif",
  model: "model",
  bump: "dependency",
};

export function findingFiguresOf(counts: FindingCounts): FindingFigures {
  const counted = listCounts(counts);
  const by = (grouping: FindingGrouping, keyOf = (value: string): string => value) =>
    outcomesBy(ofGrouping(counted, grouping), keyOf);
  return {
    byConfidence: by("confidence", bandOf),
    bySource: by("source", (source) => SOURCE_NAMES[source] ?? source),
    byCategory: by("category"),
    byVerdict: by("verdict"),
    byMode: by("mode"),
    atMerge: atMergeOf(ofGrouping(counted, "state")),
    advice: settingsWorthATry(counts)[0] ?? null,
  };
}

type Counted = readonly CountedFindings[];

function ofGrouping(counted: Counted, grouping: FindingGrouping): Counted {
  return counted.filter((each) => each.grouping === grouping);
}

function sumOf(counted: Counted, ...outcomes: readonly CountedOutcome[]): number {
  return counted.reduce((sum, { outcome, findings }) => sum + (outcomes.includes(outcome) ? findings : 0), 0);
}

/** How many findings the figures are about: each has one source and one outcome. */
export function countedFindings(counts: FindingCounts): number {
  const bySource = ofGrouping(listCounts(counts), "source");
  return sumOf(bySource, "accepted", "dismissed", "ignored", "open", "unknown");
}

function bandOf(confidence: string): string {
  if (confidence === UNKNOWN_VALUE) return UNKNOWN_VALUE;
  const index = BANDS.findIndex((lowest) => Number(confidence) >= lowest);
  const above = BANDS[index - 1];
  return `${(BANDS[index] ?? 0).toFixed(1)} to ${above === undefined ? "1.0" : `<${above.toFixed(1)}`}`;
}

/** In the order of the names, except that bands come highest first and unknown last. */
function outcomesBy(
  counted: Counted,
  keyOf: (value: string) => string,
): Readonly<Record<string, OutcomeFigures>> {
  const isNumber = (key: string): boolean => /^\d/.test(key);
  const groups = [...Map.groupBy(counted, ({ value }) => keyOf(value))].toSorted(([a], [b]) => {
    if (a === UNKNOWN_VALUE || b === UNKNOWN_VALUE) return a === UNKNOWN_VALUE ? 1 : -1;
    return (a < b ? -1 : 1) * (isNumber(a) && isNumber(b) ? -1 : 1);
  });
  return Object.fromEntries(groups.map(([key, own]) => [key, outcomesOf(own)]));
}

function outcomesOf(counted: Counted): OutcomeFigures {
  const [accepted, dismissed] = [sumOf(counted, "accepted"), sumOf(counted, "dismissed")];
  const decided = accepted + dismissed;
  return {
    accepted,
    dismissed,
    ignored: sumOf(counted, "ignored"),
    open: sumOf(counted, "open"),
    unknown: sumOf(counted, "unknown"),
    acceptance: decided === 0 ? null : accepted / decided,
  };
}

/** Only findings whose pull request is known to be merged. */
function atMergeOf(states: Counted): FindingFigures["atMerge"] {
  const merged = sumOf(states, "merged");
  const inState = (...names: readonly string[]): number =>
    sumOf(
      states.filter(({ value }) => names.includes(value)),
      "merged",
    );
  const resolved = inState("verified");
  return {
    merged,
    resolved,
    changed: inState("addressed"),
    declined: inState("contested", "waived", "ignored", "suppressed"),
    unchanged: inState("open"),
    removed: inState("expired"),
    resolution: merged === 0 ? null : resolved / merged,
  };
}

/**
 * The settings that would have hidden at least ten dismissed findings, at least five for each accepted one, and nothing accepted that is
 * critical or must be fixed. The one that would have hidden the most comes first.
 */
export function settingsWorthATry(counts: FindingCounts): readonly SettingAdvice[] {
  const counted = listCounts(counts);
  const confidences = ofGrouping(counted, "confidence").filter(({ value }) => value !== UNKNOWN_VALUE);
  const categories = ofGrouping(counted, "category");
  const hiding = [
    // Each threshold is the lowest confidence of a group.
    ...THRESHOLDS.map((least) => ({
      setting: `review.minConfidence: ${least}`,
      hidden: confidences.filter(({ value }) => Number(value) < least),
    })),
    ...CATEGORIES.map((category) => ({
      setting: `review.patterns.ignore: [${category}]`,
      hidden: categories.filter(({ value }) => value === category),
    })),
  ];
  const worth = hiding.flatMap(({ setting, hidden }): readonly SettingAdvice[] => {
    const accepted = sumOf(hidden, "accepted");
    const dismissed = sumOf(hidden, "dismissed");
    const isEnough = dismissed >= Math.max(MIN_DISMISSED, MIN_DISMISSED_PER_ACCEPTED * accepted);
    if (!isEnough || sumOf(hidden, "accepted-grave") > 0) return [];
    return [{ setting, dismissed, accepted }];
  });
  const valueOf = ({ dismissed, accepted }: SettingAdvice): number =>
    dismissed - MIN_DISMISSED_PER_ACCEPTED * accepted;
  // Sorting is stable, so that the lowest of equal thresholds comes first.
  return worth.toSorted((a, b) => valueOf(b) - valueOf(a));
}
