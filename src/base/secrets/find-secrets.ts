/**
 * Finds everything in a text that may be a secret, to mask it before a model, a log, a recording or the database gets it: by
 * format, by name and place, by randomness, in base64, and split over lines. Nothing here decides what is reported: that takes
 * certainty, which secret-patterns.ts asks for.
 */
import { findClusterSecrets } from "./cluster-secrets.ts";
import { findEncodedSecrets } from "./encoded-secrets.ts";
import { findKeyLines } from "./key-bodies.ts";
import { LIKELY_FORMATS } from "./likely-formats.ts";
import { findNamedValues } from "./named-values.ts";
import { findByPatterns } from "./pattern.ts";
import { findCertainSecrets } from "./secret-patterns.ts";
import { type SecretSpan, withoutOverlaps } from "./secret-span.ts";
import { findSplitSecrets } from "./split-literals.ts";

/** Characters of a masked secret that stay readable, so that its owner recognises it. */
const MASK_KEPT_CHARS = 4;

/** In order and without overlaps. No span of a key crosses a line. Linear in the length of the text. */
export function findSecrets(text: string): readonly SecretSpan[] {
  return withoutOverlaps([
    ...findPlain(text),
    ...findClusterSecrets(text),
    ...findEncodedSecrets(text, findPlain),
    ...findSplitSecrets(text, findPlain),
  ]);
}

/** What is written as it is, in one piece. */
function findPlain(text: string): readonly SecretSpan[] {
  return withoutOverlaps([
    ...findCertainSecrets(text),
    ...findKeyLines(text),
    ...findNamedValues(text),
    ...findByPatterns(text, LIKELY_FORMATS),
  ]);
}

/**
 * The text with every secret's characters replaced by `*`, of the same length. The first four characters stay, fewer of
 * short secrets; line ends and a diff marker after them stay too, so that a masked diff is still a diff.
 */
export function maskSecrets(text: string): string {
  let masked = "";
  let from = 0;
  for (const { start, end } of findSecrets(text)) {
    const kept = Math.min(MASK_KEPT_CHARS, Math.floor((end - start) / 4));
    masked +=
      text.slice(from, start + kept) +
      text.slice(start + kept, end).replace(/(\n[+ -]?)|[^\n]/g, (_, lineStart?: string) => lineStart ?? "*");
    from = end;
  }
  return masked + text.slice(from);
}
