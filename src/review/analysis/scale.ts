/** The size of a change for its reviewers: marked and skipped files don't make it large. */
import type { Change } from "../change/change.ts";
import type { FileAnalysis, Scale } from "./analysis.ts";
import { isReviewable } from "./triage.ts";

/** A change over one of these limits is called large, because it's too much to read in one sitting. */
const LARGE_LINES = 500;
const LARGE_FILES = 20;

/**
 * `files` are the analyses of `change.files` in any order. Marked and skipped files aren't counted. Files that earlier reviews have
 * read are no part of the triage.
 */
export function measureScale(
  change: Change,
  files: readonly Pick<FileAnalysis, "path" | "mark" | "isSkipped" | "tier">[],
  isReadBefore: (path: string) => boolean,
): Scale {
  const byPath = new Map(files.map((file) => [file.path, file]));
  let count = 0;
  let addedLines = 0;
  let removedLines = 0;
  let isTriaged = false;
  for (const file of change.files) {
    const facts = byPath.get(file.path);
    if (facts === undefined || facts.mark !== null || facts.isSkipped) continue;
    count += 1;
    addedLines += file.addedLines;
    removedLines += file.removedLines;
    if (isReviewable(file, facts) && facts.tier !== "full" && !isReadBefore(file.path)) isTriaged = true;
  }
  return {
    files: count,
    addedLines,
    removedLines,
    isLarge: addedLines + removedLines > LARGE_LINES || count > LARGE_FILES,
    isTriaged,
  };
}
