/** Thinking budgets for models that expect a number of tokens instead of an effort word. */
import type { Effort } from "../config/effort.ts";

/** Shares of the output limit. The rest is for tool calls, which are short. */
const SHARES: Readonly<Record<Effort, number>> = {
  minimal: 0,
  low: 0.1,
  medium: 0.3,
  high: 0.5,
  xhigh: 0.65,
  max: 0.8,
};

/** The minimum of Anthropic. */
const MIN_TOKENS = 1_024;

/** The maximum of Gemini 2.5 Flash. */
const MAX_TOKENS = 24_576;

/** Null: the output limit is too small for thinking. */
export function thinkingBudget(effort: Effort, maxOutputTokens: number): number | null {
  if (maxOutputTokens < 2 * MIN_TOKENS) return null;
  return Math.min(Math.max(Math.round(maxOutputTokens * SHARES[effort]), MIN_TOKENS), MAX_TOKENS);
}

/** True for Claude 3.7 to 4.5. Later versions expect an effort word, earlier ones don't think. */
export function takesThinkingBudget(name: string): boolean {
  return /^claude-(?:3-7-|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8}|[@[]|$))/.test(name);
}
