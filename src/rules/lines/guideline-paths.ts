/** Recognizes files that instruct agents and reviewers, by name only. It never reads a file. */
import { grouped } from "../../base/count.ts";
import { printable } from "../../base/printable.ts";
import type { ChangedFile } from "../../review/change/change.ts";

const READ_BY_REVIEWERS =
  /(?:^|\/)(?:(?:AGENTS|CLAUDE|GEMINI|REVIEW)(?:\.(?:local|override))?\.md|\.(?:cursor|windsurf|cline)rules(?:\/.+)?|\.github\/copilot-instructions\.md|\.github\/instructions\/.+|\.cursor\/rules\/.+|\.cursor\/BUGBOT\.md)$/;

/** True for files that reviewers read before a review. `configured`: the paths of `review.guidelines.files`. */
export function isGuideline(path: string, configured: readonly string[] = []): boolean {
  return READ_BY_REVIEWERS.test(path) || configured.includes(path);
}

/** Guidelines named in the note; the rest is counted. */
const MAX_NAMED_GUIDELINES = 10;

/** Note about edited guidelines, which don't steer the review of their own change; null when there are none. */
export function describeGuidelineEdits(
  files: readonly Pick<ChangedFile, "path" | "oldPath">[],
  configured: readonly string[],
): string | null {
  const edited = files.filter(({ path, oldPath }) =>
    [path, oldPath ?? path].some((name) => isGuideline(name, configured)),
  );
  if (edited.length === 0) return null;
  const named = edited.slice(0, MAX_NAMED_GUIDELINES).map(({ path }) => printable(path));
  const more = edited.length - named.length;
  return `edits of guidelines take effect only after the merge: ${named.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`;
}

const INSTRUCTION_NAME = /(?:^|\/)(?:(?:AGENTS|CLAUDE|GEMINI|REVIEW|SKILL)\.md|copilot-instructions\.md)$/i;
const INSTRUCTION_FOLDER =
  /(?:^|\/)\.(?:claude|cursor|github\/(?:prompts|instructions|agents)|gemini|windsurf)\//i;

/** True for files that may contain orders: guidelines and other instructions for agents. */
export function mayGiveOrders(path: string): boolean {
  return isGuideline(path) || INSTRUCTION_NAME.test(path) || INSTRUCTION_FOLDER.test(path);
}
