/** The place where a data file stops being one, in its parser's words. It never has text of the file, which can be a secret. */

/** `line` is 1-based. `words` is a phrase such as "expected ',' or '}'", or "" when the parser has none that fits on a line. */
export type Fault = { readonly line: number; readonly words: string };
