/** Where secrets are in a text. */

/** `start` inclusive and `end` exclusive, in UTF-16 units. `kind` is an id without spaces. */
export type SecretSpan = { readonly kind: string; readonly start: number; readonly end: number };

/** Overlapping spans become one, so that no part of either stays readable. */
export function withoutOverlaps(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const kept: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push(span);
    else if (span.end > last.end) kept[kept.length - 1] = { ...last, end: span.end };
  }
  return kept;
}
