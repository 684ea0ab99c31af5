/**
 * How thoroughly each file of a change is read. A change that fits into one review is read in full. In a larger one, the
 * riskiest files come first and the rest is only named. Files that aren't reviewable are always just mentioned.
 */
import { estimateTokens } from "../../base/text-size.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { ChangedFile } from "../change/change.ts";
import { roughSize } from "../change/diff-size.ts";
import type { FileMark, Tier } from "./analysis.ts";

export type TriageFile = {
  readonly path: string;
  readonly risk: number;
  readonly isReviewable: boolean;
  /** Tokens of its diff, from `countTokens`. */
  readonly tokens: number;
};

type ReadingFacts = { readonly mark: FileMark | null; readonly isSkipped: boolean };

/** True when the file contains hand-written changes that should be reviewed. */
export function isReviewable(file: ChangedFile, facts: ReadingFacts): boolean {
  return facts.mark === null && !facts.isSkipped && file.hunks.length > 0;
}

export function countReviewable(
  files: readonly ChangedFile[],
  byPath: ReadonlyMap<string, ReadingFacts>,
): number {
  return files.filter((file) => {
    const facts = byPath.get(file.path);
    return facts !== undefined && isReviewable(file, facts);
  }).length;
}

/** A model reads a longer diff with several `show_diff` calls; it must not crowd out the files after it. */
const MAX_FILE_TOKENS = 15_000;

export function countDiffTokens(file: ChangedFile): number {
  return Math.min(estimateTokens(roughSize(file)), MAX_FILE_TOKENS);
}

/** Defaults for a configuration that sets only some of these numbers. */
const BY_FILES = { fileThreshold: 50, fullReviewCount: 30, abbreviatedCount: 20 };

export type TriageLimits = {
  readonly unit: "tokens" | "files";
  /** A change up to this size is read in full. */
  readonly untriaged: number;
  readonly full: number;
  readonly abbreviated: number;
};

/** `largePR` limits one pass; several passes read more. */
export function triageLimits(
  reviewableFiles: number,
  largePR: RepoConfig["largePR"],
  chunked: RepoConfig["review"]["chunked"],
): TriageLimits {
  const limits = limitsOfPass(largePR);
  if (!chunked.enabled || reviewableFiles <= chunked.threshold) return limits;
  const { unit, full, abbreviated } = limits;
  const room = chunked.maxChunks * (unit === "tokens" ? full : chunked.filesPerChunk);
  return {
    ...limits,
    full: Math.max(full, room),
    abbreviated: Math.max(0, full + abbreviated - Math.max(full, room)),
  };
}

/** Limits by diff size, unless the configuration sets numbers of files. */
function limitsOfPass(largePR: RepoConfig["largePR"]): TriageLimits {
  const { fileThreshold, fullReviewCount, abbreviatedCount, fullReviewTokens, abbreviatedTokens } = largePR;
  if ((fileThreshold ?? fullReviewCount ?? abbreviatedCount) === undefined)
    return {
      unit: "tokens",
      untriaged: fullReviewTokens,
      full: fullReviewTokens,
      abbreviated: abbreviatedTokens,
    };
  return {
    unit: "files",
    untriaged: fileThreshold ?? BY_FILES.fileThreshold,
    full: fullReviewCount ?? BY_FILES.fullReviewCount,
    abbreviated: abbreviatedCount ?? BY_FILES.abbreviatedCount,
  };
}

/** The tier of every path. Equal risks are ordered by path, so the result is deterministic. */
export function triageFiles(files: readonly TriageFile[], limits: TriageLimits): ReadonlyMap<string, Tier> {
  const tiers = new Map<string, Tier>(files.map((file) => [file.path, "mentioned"]));
  const reviewable = files.filter((file) => file.isReviewable);
  const weightOf = ({ tokens }: TriageFile): number => (limits.unit === "tokens" ? tokens : 1);
  const total = reviewable.reduce((sum, file) => sum + weightOf(file), 0);
  const full = total <= limits.untriaged ? total : limits.full;
  let used = 0;
  for (const file of reviewable.toSorted((a, b) => b.risk - a.risk || comparePaths(a.path, b.path))) {
    used += weightOf(file);
    if (used <= full) tiers.set(file.path, "full");
    else if (used <= full + limits.abbreviated) tiers.set(file.path, "abbreviated");
  }
  return tiers;
}

/** Orders by code point, like UTF-8 bytes; comparing strings would put U+FFFD after U+1F600. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = codeUnitRank(a.charCodeAt(index)) - codeUnitRank(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Surrogates represent the highest code points, so they sort after U+E000 to U+FFFF. */
function codeUnitRank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}
