/** A pattern of one kind of secret, and where a text matches it. */
import type { SecretSpan } from "./secret-span.ts";

export type Pattern = {
  readonly kind: string;
  /** The text must hold one of these, or the expression is not tried. */
  readonly hints: readonly string[] | RegExp;
  /** Global. Group `secret` is the value when the match holds more than it. */
  readonly expression: RegExp;
  /** `match` is for what is around the value. */
  readonly accepts?: (value: string, match: RegExpExecArray) => boolean;
};

/** May hold overlaps. A hostile text has more matches than a call can take arguments. */
export function findByPatterns(text: string, patterns: readonly Pattern[]): readonly SecretSpan[] {
  return patterns.flatMap((pattern) => (isHinted(text, pattern) ? [...spansOf(text, pattern)] : []));
}

export function isHinted(text: string, { hints }: Pattern): boolean {
  return hints instanceof RegExp ? hints.test(text) : hints.some((hint) => text.includes(hint));
}

function* spansOf(text: string, { kind, expression, accepts }: Pattern): Generator<SecretSpan> {
  for (const match of text.matchAll(expression)) {
    const value = match.groups?.["secret"] ?? match[0];
    if (accepts !== undefined && !accepts(value, match)) continue;
    // The value closes the match except for a quote, an `@` or spaces, in which it cannot begin.
    const start = match.index + match[0].lastIndexOf(value);
    yield { kind, start, end: start + value.length };
  }
}
