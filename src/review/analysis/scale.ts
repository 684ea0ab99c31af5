/** How large a change is for the people and models that read it: files nobody reads do not make it large. */
import type { Change } from "../change/change.ts";
import type { FileAnalysis, Scale } from "./analysis.ts";
import { isReviewable } from "./triage.ts";

/** Beyond these a review says that the change is large: what reads well in one sitting ends about here. */
const LARGE_LINES = 500;
const LARGE_FILES = 20;

/** `files` must be the analyses of `change.files`, in their order or not. Marked and skipped files are left out. */
export function measureScale(
  change: Change,
  files: readonly Pick<FileAnalysis, "path" | "mark" | "isSkipped" | "tier">[],
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
    if (isReviewable(file, facts) && facts.tier !== "full") isTriaged = true;
  }
  return {
    files: count,
    addedLines,
    removedLines,
    isLarge: addedLines + removedLines > LARGE_LINES || count > LARGE_FILES,
    isTriaged,
  };
}
