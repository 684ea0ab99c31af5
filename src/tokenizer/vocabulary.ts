/**
 * The tokens of o200k_base. The build replaces this module by one with the same value as text (`scripts/pack-vocabulary.ts`), because V8
 * takes 100 ms to make 200,000 texts of the library's list.
 */
import vocabulary from "gpt-tokenizer/bpeRanks/o200k_base";
import { type PackedTokens, packTokens } from "./packed-tokens.ts";

export const VOCABULARY: PackedTokens = packTokens(vocabulary);
