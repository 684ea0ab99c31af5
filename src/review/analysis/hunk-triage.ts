/**
 * How closely the hunks of a very large change are read, as `review.triageModel` ranked them. The rules here bound the model: files in
 * which a mistake is costly are read closely whatever it says, and an answer that makes no sense counts for nothing.
 */
import type { ChangedFile } from "../change/change.ts";
import type { FilePart, HunksToRead } from "../change/scope.ts";
import type { FileAnalysis, Scale } from "./analysis.ts";
import { categoryOf } from "./categories.ts";
import { pathSignals } from "./path-signals.ts";
import { findRiskSignals } from "./risk-signals.ts";

/** A change over one of these is more than one model reads with care. A smaller one isn't worth a second model. */
const MAX_FILES = 60;
const MAX_LINES = 3_000;

/** A file of code in a risky place, or with about 500 changed lines. An ordinary file of code has about 60. */
const HIGH_RISK = 70;

export type HunkTriage = {
  /** Files that the reviewing model doesn't get. */
  readonly skipped: ReadonlySet<string>;
  /** The numbers of the hunks that it skims. It reads the others closely. */
  readonly skimmed: ReadonlyMap<string, ReadonlySet<number>>;
};

export const NO_TRIAGE: HunkTriage = { skipped: new Set(), skimmed: new Map() };

export function isForTriage({ files, addedLines, removedLines }: Scale): boolean {
  return files > MAX_FILES || addedLines + removedLines > MAX_LINES;
}

/** Decides without a model, so that no text of the change can talk its way out. `reported`: paths with findings of rules or earlier reviews. */
export function mustBeRead(file: ChangedFile, facts: FileAnalysis, reported: ReadonlySet<string>): boolean {
  return (
    reported.has(file.path) ||
    facts.risk >= HIGH_RISK ||
    findRiskSignals({ files: [file] }, [facts]).length > 0 ||
    isRiskyRename(file) ||
    (facts.category === "test" && file.removedLines > file.addedLines)
  );
}

/** A file that leaves a risky place takes its code with it. */
function isRiskyRename({ path, oldPath }: ChangedFile): boolean {
  if (oldPath === null || oldPath === path) return false;
  return pathSignals({ path: oldPath, category: categoryOf(oldPath), mark: null }).length > 0;
}

/** A hunk that the triage model was shown. */
export type OfferedHunk = {
  readonly path: string;
  readonly hunk: number;
  /** False when only its beginning was shown: then it can't be skipped. */
  readonly isWhole: boolean;
};

/** Numbers of offered hunks, from 1. Hunks in neither list are read closely. */
export type HunkRanking = { readonly skim: readonly number[]; readonly skip: readonly number[] };

/** A ranking as it applies: whole files to skip, and hunks to skim. */
export type AppliedRanking = { readonly skip: readonly string[]; readonly skim: readonly FilePart[] };

/**
 * A file is skipped only as a whole, because a model that is shown a file sees all of its hunks: the hunks of a file that is read are
 * skimmed at least. Unknown numbers, and hunks in both lists, count as not ranked.
 */
export function applyRanking(
  offered: readonly OfferedHunk[],
  ranking: HunkRanking,
  hunksToRead: HunksToRead,
): AppliedRanking {
  const [skim, skip] = [new Set(ranking.skim), new Set(ranking.skip)];
  const ranked = offered
    .map((hunk, index) => ({ ...hunk, isSkim: skim.has(index + 1), isSkip: skip.has(index + 1) }))
    .filter(({ isSkim, isSkip }) => isSkim !== isSkip);
  const skipped: string[] = [];
  const skimmed: FilePart[] = [];
  for (const [path, hunks] of Map.groupBy(ranked, (hunk) => hunk.path)) {
    const dropped = new Set(hunks.filter(({ isSkip, isWhole }) => isSkip && isWhole).map(({ hunk }) => hunk));
    if (hunksToRead(path).every((hunk) => dropped.has(hunk))) skipped.push(path);
    else skimmed.push({ path, hunks: hunks.map(({ hunk }) => hunk) });
  }
  return { skip: skipped, skim: skimmed };
}
