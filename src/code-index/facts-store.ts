/** Where a code index keeps facts. Never throws: a store that fails is one that knows nothing, with a problem. */
import type { CacheProblem } from "./code-index.ts";

/** Facts as text of `encodeFacts`, under a key of `factsKey`. */
export type StoredFacts = { readonly key: string; readonly facts: string };

export type FactsStore = {
  /** Returns facts by key, without those that are unknown or damaged. */
  read(keys: readonly string[]): ReadonlyMap<string, string>;
  write(rows: readonly StoredFacts[]): void;
  /** Null as long as everything worked. */
  problem(): CacheProblem | null;
  close(): void;
};

/** The same bytes have other facts in another language. */
export function factsKey(blob: string, language: string): string {
  return `${blob} ${language}`;
}
