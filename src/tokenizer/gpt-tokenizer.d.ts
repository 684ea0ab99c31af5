/** The two modules of gpt-tokenizer that Kodiai uses. The package's own types would load its source. */
declare module "gpt-tokenizer/bpeRanks/o200k_base" {
  /** By rank: a text, or bytes that aren't UTF-8. May have holes. */
  const vocabulary: readonly (string | readonly number[])[];
  export default vocabulary;
}

declare module "gpt-tokenizer/encodingParams/constants" {
  export const O200K_TOKEN_SPLIT_REGEX: RegExp;
}
