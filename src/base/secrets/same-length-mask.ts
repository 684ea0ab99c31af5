/**
 * Masks secrets with stars of the same length, for text whose lines are compared or counted later: quotes in the database, and
 * recordings. Values that were found once are masked wherever they are.
 */
import { findSecrets } from "./find-secrets.ts";
import { maskLines, maskSpans } from "./mask-secrets.ts";
import type { SecretSpan } from "./secret-span.ts";

/** Shorter parts of a secret occur in any text, and give nothing away. */
const MIN_VALUE_CHARS = 8;

export type SameLengthMaskOptions = {
  /** Secrets found in other texts; see `secretValuesIn`. */
  readonly values?: Iterable<string>;
  /** Each of these values has its number among its stars, so that lines with different secrets stay different. */
  readonly isNumbered?: boolean;
};

export function createSameLengthMask({ values = [], isNumbered = false }: SameLengthMaskOptions = {}): (
  text: string,
) => string {
  const known = [...new Set(values)].toSorted((a, b) => b.length - a.length);
  const numbers = new Map(isNumbered ? known.map((value, index) => [value, index + 1]) : []);
  return (text) =>
    maskSpans(text, [...findSecrets(text), ...occurrencesOf(known, text)], (secret) =>
      maskLines(secret, (line) => starsFor(line, numbers.get(line.trimEnd()))),
    );
}

/** Line by line: a line of a key that is quoted alone doesn't look like a secret. */
export function secretValuesIn(text: string): readonly string[] {
  return findSecrets(text).flatMap(({ start, end }) =>
    text
      .slice(start, end)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length >= MIN_VALUE_CHARS),
  );
}

/** Every place of these values. */
export function* occurrencesOf(values: readonly string[], text: string): Generator<SecretSpan> {
  for (const value of values) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
      yield { kind: "known", start: at, end: at + value.length };
  }
}

function starsFor({ length }: string, number: number | undefined): string {
  if (number === undefined) return "*".repeat(length);
  return `*${number}`.padEnd(length, "*").slice(0, length);
}
