/**
 * How closely each file of a change is read. Small changes are read in full; in large ones the riskiest files come
 * first and the rest is named. Files nobody has to read are only ever mentioned.
 */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { ChangedFile } from "../change/change.ts";
import type { FileMark, Tier } from "./analysis.ts";

export type TriageFile = { readonly path: string; readonly risk: number; readonly isReviewable: boolean };

type ReadingFacts = { readonly mark: FileMark | null; readonly isSkipped: boolean };

/** True when there is something in the file that a person wrote, changed, and wants read. */
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

type TriageLimits = Pick<RepoConfig["largePR"], "fileThreshold" | "fullReviewCount" | "abbreviatedCount">;

/** The counts of `largePR` are what one pass can read; several passes read more. */
export function triageLimits(
  reviewableFiles: number,
  largePR: TriageLimits,
  chunked: RepoConfig["review"]["chunked"],
): TriageLimits {
  const { fullReviewCount, abbreviatedCount, fileThreshold } = largePR;
  if (!chunked.enabled || reviewableFiles <= chunked.threshold) return largePR;
  const room = Math.max(fullReviewCount, chunked.maxChunks * chunked.filesPerChunk);
  const rest = Math.max(0, fullReviewCount + abbreviatedCount - room);
  return { fileThreshold, fullReviewCount: room, abbreviatedCount: rest };
}

/** The tier of every path. Equal risks are ordered by path, so that the same change is always read the same way. */
export function triageFiles(files: readonly TriageFile[], limits: TriageLimits): ReadonlyMap<string, Tier> {
  const tiers = new Map<string, Tier>(files.map((file) => [file.path, "mentioned"]));
  const reviewable = files.filter((file) => file.isReviewable);
  if (reviewable.length <= limits.fileThreshold) {
    for (const file of reviewable) tiers.set(file.path, "full");
    return tiers;
  }
  const ranked = reviewable.toSorted((a, b) => b.risk - a.risk || comparePaths(a.path, b.path));
  const { fullReviewCount, abbreviatedCount } = limits;
  for (const [rank, file] of ranked.entries()) {
    if (rank < fullReviewCount) tiers.set(file.path, "full");
    else if (rank < fullReviewCount + abbreviatedCount) tiers.set(file.path, "abbreviated");
  }
  return tiers;
}

/** By code points, which is the byte order of UTF-8; comparing strings would put U+FFFD after U+1F600. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = codeUnitRank(a.charCodeAt(index)) - codeUnitRank(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others, so they are moved behind U+E000 to U+FFFF. */
function codeUnitRank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}
