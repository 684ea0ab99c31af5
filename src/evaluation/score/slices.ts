/** The figures of parts of a run: by language and size of the pull request, and by severity and category of answers and findings. */
import { count } from "../../base/count.ts";
import { compareTexts } from "../../base/compare-texts.ts";
import { CATEGORIES, SEVERITIES } from "../../base/severity.ts";
import { type ComparedReview, isShown } from "./compare-case.ts";
import { figuresOf, NO_TALLY, type AnswerTally } from "./figures.ts";
import type { Score, Slice } from "./score.ts";

/** Lines added and removed: about the sizes that people call small, medium, large and very large. */
const SIZES = [50, 200, 800] as const;

export function sliceReviews(
  reviews: readonly ComparedReview[],
): Pick<Score, "byLanguage" | "bySeverity" | "byCategory" | "bySize"> {
  const languages = [...new Set(reviews.map(({ of }) => of.language))].toSorted(compareTexts);
  const unknown = "not stated";
  return {
    byLanguage: sliceBy(reviews, languages, {
      answer: (_, { of }) => of.language,
      finding: (_, { of }) => of.language,
    }),
    bySeverity: sliceBy(reviews, [...SEVERITIES, unknown], {
      answer: ({ severity }) => severity ?? unknown,
      finding: ({ severity }) => severity,
    }),
    byCategory: sliceBy(reviews, [...CATEGORIES, unknown], {
      answer: ({ category }) => category ?? unknown,
      finding: ({ category }) => category,
    }),
    bySize: sliceBy(reviews, [...SIZES, null].map(sizeName), {
      answer: (_, review) => sizeOf(review),
      finding: (_, review) => sizeOf(review),
    }),
  };
}

function sizeOf({ run }: ComparedReview): string {
  return sizeName(SIZES.find((most) => run.size.lines <= most) ?? null);
}

function sizeName(most: (typeof SIZES)[number] | null): string {
  const at = most === null ? SIZES.length : SIZES.indexOf(most);
  const least = at === 0 ? 0 : (SIZES[at - 1] ?? 0) + 1;
  return most === null ? `${count(least, "line")} or more` : `${least} to ${count(most, "line")}`;
}

type Naming = {
  readonly answer: (answer: ComparedReview["answers"][number]["answer"], review: ComparedReview) => string;
  readonly finding: (
    finding: ComparedReview["findings"][number]["finding"],
    review: ComparedReview,
  ) => string;
};

/** Recall counts the answers of a slice, precision its findings. Slices without either are left out. */
function sliceBy(
  reviews: readonly ComparedReview[],
  names: readonly string[],
  naming: Naming,
): readonly Slice[] {
  const slices = new Map<string, Map<string, AnswerTally>>(names.map((name) => [name, new Map()]));
  const add = (name: string, of: string, more: Partial<AnswerTally>): void => {
    const tallies = slices.get(name);
    const tally = tallies?.get(of) ?? NO_TALLY;
    const plus = (key: keyof AnswerTally): number => tally[key] + (more[key] ?? 0);
    tallies?.set(of, {
      answers: plus("answers"),
      found: plus("found"),
      shown: plus("shown"),
      right: plus("right"),
    });
  };
  for (const review of reviews) {
    for (const { answer, by } of review.answers)
      add(naming.answer(answer, review), review.of.id, {
        answers: 1,
        found: by !== null && isShown(by) ? 1 : 0,
      });
    for (const { finding, answer } of review.findings)
      if (isShown(finding))
        add(naming.finding(finding, review), review.of.id, { shown: 1, right: answer === null ? 0 : 1 });
  }
  return [...slices].flatMap(([name, tallies]) =>
    tallies.size === 0 ? [] : [{ name, cases: tallies.size, figures: figuresOf([...tallies.values()]) }],
  );
}
