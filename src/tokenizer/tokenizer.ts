/** The type of a tokenizer: the exact number of tokens in a text. Synchronous, pure, and bounded for any text. */
export type CountTokens = (text: string) => number;
