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
