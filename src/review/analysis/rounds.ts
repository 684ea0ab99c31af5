/**
 * Plans the later rounds of `review.passes`. The first round reads the change as a whole; each later one reads the same files again, in
 * another order and with one lens. The analysis alone decides which lens: the same change gets the same one each time.
 */
import type { Change, ChangedFile } from "../change/change.ts";
import type { Analysis, ReviewPass, ReviewRound } from "./analysis.ts";
import { hasConcurrencySignal } from "./concurrency-signals.ts";
import type { Lens } from "./lenses.ts";
import { comparePaths } from "./triage.ts";

/** The removed lines from which it pays to ask what they guaranteed. Nearly every change removes a few. */
const MIN_REMOVED_LINES = 10;

/** A pass of a later round. */
export type LaterPass = ReviewPass & { readonly round: ReviewRound };

export type RoundFacts = {
  readonly change: Pick<Change, "files">;
  readonly analysis: Pick<Analysis, "byPath">;
  /** The repository has guideline files that the model is shown. */
  readonly hasGuidelines: boolean;
};

/** The passes of the rounds after the first, round by round. `rounds`: of the whole review, the first included. */
export function planRounds(
  passes: readonly ReviewPass[],
  rounds: number,
  facts: RoundFacts,
): readonly LaterPass[] {
  const inPasses = new Set(passes.flatMap(({ paths }) => paths));
  const files = facts.change.files.filter(({ path }) => inPasses.has(path));
  if (rounds < 2 || files.length === 0) return [];
  return chooseLenses(files, facts)
    .slice(0, rounds - 1)
    .flatMap((lens, index) => {
      const number = index === 0 ? 2 : 3;
      const isFirst = isFirstFor(lens, files, facts);
      return passes.map(({ name: part, paths, seconds }) => ({
        name: nameOf(part, number),
        paths: paths.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || comparePaths(a, b)),
        seconds,
        round: { number, lens, part },
      }));
    });
}

const ORDINALS = { 2: "second", 3: "third" } as const;

/** "second round", "part 1 of 3, second round". Names are keys of the notebook, so they are unique in a review. */
function nameOf(part: string, number: 2 | 3): string {
  const round = `${ORDINALS[number]} round`;
  return part === "review" ? round : `${part}, ${round}`;
}

/** At least two, the most specific one first. Every change has siblings to compare and contracts to keep. */
function chooseLenses(files: readonly ChangedFile[], facts: RoundFacts): readonly Lens[] {
  const removedLines = files.reduce((sum, file) => sum + file.removedLines, 0);
  const lenses: readonly (Lens | null)[] = [
    files.some((file) => isConcurrent(file, facts)) ? "concurrency" : null,
    removedLines >= MIN_REMOVED_LINES ? "removed-code" : null,
    facts.hasGuidelines ? "guidelines" : null,
    files.some((file) => isTest(file, facts)) ? "tests" : null,
    "siblings",
    "removed-code",
  ];
  return [...new Set(lenses.filter((lens) => lens !== null))];
}

/** Whether a file is read before the others through this lens. */
function isFirstFor(lens: Lens, files: readonly ChangedFile[], facts: RoundFacts): (path: string) => boolean {
  const isWanted = (file: ChangedFile): boolean => {
    switch (lens) {
      case "concurrency":
        return isConcurrent(file, facts);
      case "removed-code":
        return file.removedLines > 0;
      case "tests":
        return isTest(file, facts);
      case "siblings":
      case "guidelines":
        return false;
    }
  };
  const wanted = new Set(files.filter(isWanted).map(({ path }) => path));
  return (path) => wanted.has(path);
}

function isTest({ path }: ChangedFile, { analysis }: RoundFacts): boolean {
  return analysis.byPath.get(path)?.category === "test";
}

/** Prose about threads isn't concurrent. */
function isConcurrent(file: ChangedFile, { analysis }: RoundFacts): boolean {
  const category = analysis.byPath.get(file.path)?.category;
  return (category === "source" || category === "infra") && hasConcurrencySignal(file);
}
