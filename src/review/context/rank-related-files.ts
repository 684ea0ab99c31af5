/** Orders the files that are connected with one file, and says why each is: tests, imports in both directions, history. */
import { compareTexts } from "../../base/compare-texts.ts";
import {
  MAX_RELATED_FILES,
  RELATED_REASONS,
  type RelatedFileList,
  type RelatedReason,
} from "./code-lookup.ts";

export type FileLinks = {
  /** Files that import it. */
  readonly importing: readonly string[];
  /** Files that it imports. */
  readonly imported: readonly string[];
};

export type RelatedSources = {
  /** Null when imports couldn't be read. */
  readonly links: FileLinks | null;
  /** The paths of each commit; null when the history couldn't be read. */
  readonly history: readonly (readonly string[])[] | null;
  /** Its tests; for a test, what it tests. */
  readonly tests: readonly string[];
  readonly isTest: boolean;
  /** Whether the file still exists. */
  readonly isKnown: (path: string) => boolean;
};

/** A commit that changed more files says nothing about two of them. */
const MAX_COMMIT_FILES = 30;

/** Once is chance. */
const MIN_COMMITS = 2;

/** Of each reason, so that a file that everything imports still shows its tests and history. */
const MAX_PER_REASON = 25;

export function rankRelatedFiles(
  path: string,
  { links, history, tests, isTest, isKnown }: RelatedSources,
): RelatedFileList {
  const commits = countTogether(path, history ?? []);
  const together = [...commits].filter(([other, count]) => count >= MIN_COMMITS && isKnown(other));
  const byReason: Readonly<Record<RelatedReason, readonly string[]>> = {
    test: isTest ? [] : tests,
    tested: isTest ? tests : [],
    importer: links?.importing ?? [],
    imported: links?.imported ?? [],
    "changed-together": together.map(([other]) => other),
  };
  const reasons = new Map<string, RelatedReason[]>();
  let omitted = 0;
  for (const reason of RELATED_REASONS) {
    const found = [...new Set(byReason[reason])]
      .filter((other) => other !== path)
      .toSorted(
        (one, other) => (commits.get(other) ?? 0) - (commits.get(one) ?? 0) || compareTexts(one, other),
      );
    omitted += found.slice(MAX_PER_REASON).filter((other) => !reasons.has(other)).length;
    for (const other of found.slice(0, MAX_PER_REASON))
      reasons.set(other, [...(reasons.get(other) ?? []), reason]);
  }
  const all = [...reasons].map(([other, its]) => ({
    path: other,
    reasons: its,
    commits: commits.get(other) ?? 0,
  }));
  // More reasons first; the map has the order of the reasons.
  const files = all
    .toSorted((one, other) => other.reasons.length - one.reasons.length)
    .slice(0, MAX_RELATED_FILES);
  return {
    files,
    omitted: omitted + all.length - files.length,
    gaps: [
      ...(links === null ? (["imports"] as const) : []),
      ...(history === null ? (["history"] as const) : []),
    ],
  };
}

function countTogether(path: string, history: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const paths of history) {
    if (paths.length > MAX_COMMIT_FILES || !paths.includes(path)) continue;
    for (const other of paths) if (other !== path) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  return counts;
}
