/** Keeps the account of a pack's tokens. Every block is counted once, before it's taken. */
import type { CountTokens } from "../../../tokenizer/tokenizer.ts";
import type { PackBlock } from "../render/block.ts";

export type CountedBlock = PackBlock & { readonly tokens: number };

export type Ledger = {
  left(): number;
  /** Null when the block has more tokens than are left, or than `maxTokens`; `onCounted` gets its tokens in any case. */
  take(block: PackBlock, options?: TakeOptions): CountedBlock | null;
  /** False for a file that is too large to be worth counting. */
  mayFit(bytes: number, maxTokens?: number): boolean;
};

export type TakeOptions = {
  readonly maxTokens?: number;
  readonly onCounted?: (tokens: number) => void;
};

/** Code has three to four bytes per token. A file with twice as many is worth a try, a larger one isn't. */
const MAX_BYTES_PER_TOKEN = 8;

export function createLedger(budgetTokens: number, countTokens: CountTokens): Ledger {
  let left = budgetTokens;
  return {
    left: () => left,
    take(block, { maxTokens = left, onCounted } = {}) {
      const tokens = countTokens(block.text);
      onCounted?.(tokens);
      if (tokens > Math.min(left, maxTokens)) return null;
      left -= tokens;
      return { ...block, tokens };
    },
    mayFit: (bytes, maxTokens = left) => bytes / MAX_BYTES_PER_TOKEN <= Math.min(left, maxTokens),
  };
}
