/**
 * Finds everything in a text that may be a secret: by format, by name and position, by randomness, in base64, and split over
 * lines. mask-secrets.ts masks it. Reporting a secret needs more certainty; see secret-patterns.ts.
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

/** In order and without overlaps. No span of a key crosses a line. Linear in the length of the text. */
export function findSecrets(text: string): readonly SecretSpan[] {
  return withoutOverlaps([
    ...findPlain(text),
    ...findClusterSecrets(text),
    ...findEncodedSecrets(text, findPlain),
    ...findSplitSecrets(text, findPlain),
  ]);
}

/** Secrets in plain text and in one piece. */
function findPlain(text: string): readonly SecretSpan[] {
  return withoutOverlaps([
    ...findCertainSecrets(text),
    ...findKeyLines(text),
    ...findNamedValues(text),
    ...findByPatterns(text, LIKELY_FORMATS),
  ]);
}
