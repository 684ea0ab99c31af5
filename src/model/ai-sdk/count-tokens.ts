/** Counts the tokens of a call: from the provider's usage, or estimated from the texts. */
import type { Tokens } from "../model.ts";
import { estimateTokens, MAX_CALL_TOKENS } from "../tokens.ts";
import type { FinishPart } from "./language-model.ts";

/** A missing or zero count can't be right for a call that was made. */
function said(count: number | undefined, estimate: number): number {
  return count !== undefined && count > 0 && count <= MAX_CALL_TOKENS ? Math.round(count) : estimate;
}

export function countRequestTokens(
  usage: FinishPart["usage"] | null,
  size: { readonly input: number; readonly output: number },
): Tokens {
  const input = said(usage?.inputTokens.total, estimateTokens(size.input));
  const output = said(usage?.outputTokens.total, estimateTokens(size.output));
  const cachedInput = Math.min(input, said(usage?.inputTokens.cacheRead, 0));
  const written = Math.min(input - cachedInput, said(usage?.inputTokens.cacheWrite, 0));
  return { input, cachedInput, ...(written > 0 && { cacheWriteInput: written }), output };
}
