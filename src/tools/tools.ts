/** The list of all tools. A new one is one file and one line here. */
import { blame } from "./blame.ts";
import { ciStatus } from "./ci-status.ts";
import { fileHistory } from "./file-history.ts";
import { findReferences } from "./find-references.ts";
import { findSymbol } from "./find-symbol.ts";
import { finishReviewTool } from "./finish-review.ts";
import { listFiles } from "./list-files.ts";
import { markReviewed } from "./mark-reviewed.ts";
import { readDependency } from "./read-dependency.ts";
import { readFile } from "./read-file.ts";
import { recordFinding } from "./record-finding.ts";
import { relatedFilesTool } from "./related-files.ts";
import { searchCode } from "./search-code.ts";
import { showDiff } from "./show-diff.ts";
import type { ReadContext, ReviewContext, Tool } from "./tool.ts";

/** Tools that only read. */
export const READ_TOOLS: readonly Tool<ReadContext>[] = [
  showDiff,
  readFile,
  listFiles,
  searchCode,
  findSymbol,
  findReferences,
  relatedFilesTool,
  fileHistory,
  blame,
  ciStatus,
];

/** The tools of a reviewing model. */
export const REVIEW_TOOLS: readonly Tool<ReviewContext>[] = [
  ...READ_TOOLS,
  readDependency,
  recordFinding,
  markReviewed,
  finishReviewTool,
];
