/** The tokens that a deep review leaves for its context pack. */

import { inputWindowOf } from "../../model/input-window.ts";
import { LONG_OUTPUT_TOKENS } from "./long-thinking.ts";

/** For our instructions, the provider's own text around a request, and tokenizers that count more than ours. */
const PROTOCOL_TOKENS = 12_000;

/** A short question may still become long with what a provider adds. */
const MIN_QUESTION_TOKENS = 2_048;

/** The densest text has about three characters per token. */
const CHARS_PER_QUESTION_TOKEN = 3;

/** A review's own prompt: up to 240,000 characters of diff, and the sections around it. */
const FINDINGS_TOKENS = 80_000;

/** The packer accepts no less. */
const MIN_PACK_TOKENS = 1_000;

/** `pack.budgetTokens`; `isSet`: the repository or the operator chose it. */
export type ConfiguredBudget = { readonly tokens: number; readonly isSet: boolean };

/** The input of a model that is asked about a pack: what was chosen, or else what fits into its window. */
export function packWindow({ tokens, isSet }: ConfiguredBudget, model: string): number {
  return isSet ? tokens : Math.min(tokens, inputWindowOf(model, LONG_OUTPUT_TOKENS));
}

/** `windowTokens`: the input that the model may get. */
export function packBudget(
  windowTokens: number,
  { question, isFindings }: { readonly question: string; readonly isFindings: boolean },
): number {
  const questionTokens = Math.max(MIN_QUESTION_TOKENS, Math.ceil(question.length / CHARS_PER_QUESTION_TOKEN));
  const reserved = PROTOCOL_TOKENS + questionTokens + (isFindings ? FINDINGS_TOKENS : 0);
  return Math.max(MIN_PACK_TOKENS, windowTokens - reserved);
}
