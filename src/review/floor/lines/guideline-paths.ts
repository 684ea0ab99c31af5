/** Recognizes files that instruct agents and reviewers, by name only. It never reads a file. */

const READ_BY_REVIEWERS =
  /(?:^|\/)(?:(?:AGENTS|CLAUDE|GEMINI|REVIEW)(?:\.(?:local|override))?\.md|\.(?:cursor|windsurf|cline)rules(?:\/.+)?|\.github\/copilot-instructions\.md|\.github\/instructions\/.+|\.cursor\/rules\/.+|\.cursor\/BUGBOT\.md)$/;

/** True for files that reviewers read before a review. `configured`: the paths of `review.guidelines.files`. */
export function isGuideline(path: string, configured: readonly string[] = []): boolean {
  return READ_BY_REVIEWERS.test(path) || configured.includes(path);
}

const INSTRUCTION_NAME = /(?:^|\/)(?:(?:AGENTS|CLAUDE|GEMINI|REVIEW|SKILL)\.md|copilot-instructions\.md)$/i;
const INSTRUCTION_FOLDER =
  /(?:^|\/)\.(?:claude|cursor|github\/(?:prompts|instructions|agents)|gemini|windsurf)\//i;

/** True for files that may contain orders: guidelines and other instructions for agents. */
export function mayGiveOrders(path: string): boolean {
  return isGuideline(path) || INSTRUCTION_NAME.test(path) || INSTRUCTION_FOLDER.test(path);
}
