/** For models that take a number of tokens to think with, instead of a word for how hard to think. */
import type { Effort } from "../config/effort.ts";

/** Of the room for an answer. What is left is for the calls, which are short. */
const SHARES: Readonly<Record<Effort, number>> = {
  minimal: 0,
  low: 0.1,
  medium: 0.3,
  high: 0.5,
  xhigh: 0.65,
  max: 0.8,
};

/** Anthropic takes no less. */
const MIN_TOKENS = 1_024;

/** Gemini 2.5 Flash takes no more. */
const MAX_TOKENS = 24_576;

/** Null: the room is too small to think in. */
export function thinkingBudget(effort: Effort, roomTokens: number): number | null {
  if (roomTokens < 2 * MIN_TOKENS) return null;
  return Math.min(Math.max(Math.round(roomTokens * SHARES[effort]), MIN_TOKENS), MAX_TOKENS);
}

/** Claude 3.7 to 4.5: later ones take a word, earlier ones do not think. */
export function takesThinkingBudget(name: string): boolean {
  return /^claude-(?:3-7-|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8}|[@[]|$))/.test(name);
}
