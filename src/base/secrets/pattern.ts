/** A pattern for one kind of secret, and its matches in a text. */
import type { SecretSpan } from "./secret-span.ts";

export type Pattern = {
  readonly kind: string;
  /** The expression runs only if the text contains one of these. */
  readonly hints: readonly string[] | RegExp;
  /** Global. Group `secret` is the value when the match holds more than it. */
  readonly expression: RegExp;
  /** `match` gives access to the text around the value. */
  readonly accepts?: (value: string, match: RegExpExecArray) => boolean;
};

/** May overlap. A hostile text has more matches than a call can have arguments. */
export function findByPatterns(text: string, patterns: readonly Pattern[]): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const pattern of patterns) if (isHinted(text, pattern)) addSpans(spans, text, pattern);
  return spans;
}

export function isHinted(text: string, { hints }: Pattern): boolean {
  return hints instanceof RegExp ? hints.test(text) : hints.some((hint) => text.includes(hint));
}

function addSpans(spans: SecretSpan[], text: string, { kind, expression, accepts }: Pattern): void {
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    const value = match.groups?.["secret"] ?? match[0];
    if (accepts !== undefined && !accepts(value, match)) continue;
    // The value closes the match except for a quote, an `@` or spaces, in which it cannot begin.
    const start = match.index + match[0].lastIndexOf(value);
    spans.push({ kind, start, end: start + value.length });
  }
}
