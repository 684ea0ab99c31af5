/** The list of all tools. A new one is one file and one line here. */
import { blame } from "./blame.ts";
import { ciStatus } from "./ci-status.ts";
import { confirmFinding } from "./confirm-finding.ts";
import { deleteFile } from "./delete-file.ts";
import { disputeRule } from "./dispute-rule.ts";
import { editFile } from "./edit-file.ts";
import type { EditContext } from "./edit-tool.ts";
import { fileHistory } from "./file-history.ts";
import { findReferences } from "./find-references.ts";
import { findSymbol } from "./find-symbol.ts";
import { finishEdits } from "./finish-edits.ts";
import { finishReviewTool } from "./finish-review.ts";
import { giveAnswer } from "./give-answer.ts";
import { giveVerdict, type VerifyContext } from "./give-verdict.ts";
import { listFiles } from "./list-files.ts";
import { markReviewed } from "./mark-reviewed.ts";
import { readDependency } from "./read-dependency.ts";
import { readFile } from "./read-file.ts";
import { recordFinding } from "./record-finding.ts";
import { relatedFilesTool } from "./related-files.ts";
import { searchCode } from "./search-code.ts";
import { showDiff } from "./show-diff.ts";
import type { AnswerContext, ReadContext, ReviewContext, Tool } from "./tool.ts";
import { withdrawFinding } from "./withdraw-finding.ts";
import { writeFileTool } from "./write-file.ts";

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
  withdrawFinding,
  disputeRule,
  confirmFinding,
  markReviewed,
  finishReviewTool,
];

/** The tools of a model that edits files for a person. The authors of lines don't matter for that. */
export const EDIT_TOOLS: readonly Tool<EditContext>[] = [
  ...READ_TOOLS.filter((tool) => tool !== blame && tool !== fileHistory),
  editFile,
  writeFileTool,
  deleteFile,
  finishEdits,
];

/** The tools of a model that answers a question. */
export const ANSWER_TOOLS: readonly Tool<AnswerContext>[] = [...READ_TOOLS, giveAnswer];

/** The tools of a model that checks findings. */
export const VERIFY_TOOLS: readonly Tool<VerifyContext>[] = [
  readFile,
  searchCode,
  findReferences,
  giveVerdict,
];
