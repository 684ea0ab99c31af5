/**
 * Compares two scores on the same pull requests. Both reviewers met the same ones, so a pull request is always drawn with what both did on
 * it: its difficulty is no difference between them.
 */
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import { MIN_ROWS } from "./bootstrap.ts";
import { estimate, figuresOfSums, rowOf, share } from "./figures.ts";
import type { CaseScore, Estimate, Score } from "./score.ts";

const FIGURE_NAMES = [
  "recall",
  "precision",
  "F1",
  "F0.5",
  "findings per sound change",
  "cost per review",
] as const;
type FigureName = (typeof FIGURE_NAMES)[number];

/** Less of these is better. */
const LESS_IS_BETTER: ReadonlySet<FigureName> = new Set(["findings per sound change", "cost per review"]);

/** A baseline fails on these: the others are made of them, or are no quality. */
const GUARDED: ReadonlySet<FigureName> = new Set(["recall", "precision", "findings per sound change"]);

export type ComparedFigure = {
  readonly name: FigureName;
  readonly first: number | null;
  readonly second: number | null;
  /** The second minus the first. */
  readonly difference: Estimate;
  /** Of the second; "none": the interval contains 0, one of them has no such figure, or too few pull requests have. */
  readonly verdict: "better" | "worse" | "none";
};

export type Comparison = {
  readonly set: Score["set"];
  readonly first: string;
  readonly second: string;
  /** Pull requests that both have reviewed. */
  readonly pairs: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly figures: readonly ComparedFigure[];
};

export function compareScores(first: Score, second: Score): Comparison {
  assertSameSet(first, second);
  const reviewed = (score: Score) =>
    new Map(score.cases.filter(({ reviews }) => reviews > 0).map((each) => [each.id, each]));
  const [ofFirst, ofSecond] = [reviewed(first), reviewed(second)];
  const pairs = [...ofFirst.values()].flatMap((one) => {
    const other = ofSecond.get(one.id);
    return other === undefined ? [] : [[one, other] as const];
  });
  if (pairs.length === 0)
    throw new KodiaiError("usage", "the two runs have no reviewed pull request in common", {
      hint: "Run both on the same pull requests: with the same --limit, or without one.",
    });
  const rows = pairs.map(([one, other]) => [...wideRowOf(one), ...wideRowOf(other)]);
  const count = FIGURE_NAMES.length;
  const estimates = estimate(rows, 2 * WIDTH, (sums) => {
    const [before, after] = [allFigures(sums.slice(0, WIDTH)), allFigures(sums.slice(WIDTH))];
    const differences = after.map((value, at) => minus(value, before[at] ?? null));
    return [...before, ...after, ...differences];
  });
  return {
    set: first.set,
    first: labelOf(first),
    second: labelOf(second),
    pairs: pairs.length,
    onlyFirst: ofFirst.size - pairs.length,
    onlySecond: ofSecond.size - pairs.length,
    figures: FIGURE_NAMES.map((name, at) => {
      const difference = estimates[2 * count + at] ?? { value: null, low: null, high: null };
      return {
        name,
        first: estimates[at]?.value ?? null,
        second: estimates[count + at]?.value ?? null,
        difference,
        verdict: countedPairs(pairs, name) < MIN_ROWS ? "none" : verdictOf(name, difference),
      };
    }),
  };
}

/** The figures of which the second score is worse beyond noise. */
export function dropsIn({ figures }: Comparison): readonly ComparedFigure[] {
  return figures.filter(({ name, verdict }) => verdict === "worse" && GUARDED.has(name));
}

function assertSameSet({ set: one }: Score, { set: other }: Score): void {
  const differ = (what: string): KodiaiError =>
    new KodiaiError(
      "usage",
      printable(`the two runs are of different ${what}, so their figures can't be compared`),
      {
        hint: "Run both on the same version of the same set.",
      },
    );
  if (one.name !== other.name) throw differ(`sets, ${one.name} and ${other.name}`);
  if (one.version !== other.version)
    throw differ(`versions of ${one.name}, ${one.version} and ${other.version}`);
}

function labelOf({ settings, reviewer }: Score): string {
  return settings.model === "" ? reviewer : `${settings.model}, Kodiai ${reviewer}`;
}

/** Answers, found, shown, right; findings and reviews of sound changes; costs and reviews with a price. */
const WIDTH = 8;

function wideRowOf(each: CaseScore): readonly number[] {
  const { isSound, shown, reviews, costUsd } = each;
  return [
    ...rowOf(each),
    ...(isSound ? [shown, reviews] : [0, 0]),
    ...(costUsd === null ? [0, 0] : [costUsd, reviews]),
  ];
}

function allFigures(sums: readonly number[]): readonly (number | null)[] {
  const [, , , , onSound = 0, sound = 0, usd = 0, priced = 0] = sums;
  return [...figuresOfSums(sums), share(onSound, sound), share(usd, priced)];
}

/** Pull requests that say something about the figure. */
function countedPairs(pairs: readonly (readonly [CaseScore, CaseScore])[], name: FigureName): number {
  return pairs.filter(([one, other]) => {
    if (name === "findings per sound change") return one.isSound;
    if (name === "cost per review") return one.costUsd !== null && other.costUsd !== null;
    return name === "precision" ? one.shown + other.shown > 0 : one.answers > 0;
  }).length;
}

function minus(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one - other;
}

function verdictOf(name: FigureName, { low, high }: Estimate): ComparedFigure["verdict"] {
  if (low === null || high === null || (low <= 0 && high >= 0)) return "none";
  return low > 0 === LESS_IS_BETTER.has(name) ? "worse" : "better";
}
