/** Sums of tokens. base/text-size.ts estimates the tokens of a text. */
import type { Tokens } from "./model.ts";

/** A hundred times what any model accepts. A larger count is wrong, and costs are computed from it. */
export const MAX_CALL_TOKENS = 100_000_000;

export function addTokens(one: Tokens, other: Tokens): Tokens {
  const written = (one.cacheWriteInput ?? 0) + (other.cacheWriteInput ?? 0);
  return {
    input: one.input + other.input,
    cachedInput: one.cachedInput + other.cachedInput,
    ...(written > 0 && { cacheWriteInput: written }),
    output: one.output + other.output,
  };
}

export { CHARS_PER_TOKEN, estimateTokens, sizeOf } from "../base/text-size.ts";
