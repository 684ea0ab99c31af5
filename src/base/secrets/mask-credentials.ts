/** Masks credentials in logs, in errors that are stored, and in messages: GitHub's tokens and keys in any form, and all other secrets. */
import { findSecrets } from "./find-secrets.ts";
import { MASK, maskSpans } from "./mask-secrets.ts";

/** An app's keys and tokens, in every form in which they are sent. They are always masked. */
const CREDENTIAL = new RegExp(
  [
    // No word boundary, because `%3Aghs_…` occurs in encoded URLs. Only GitHub's prefixes, so that `light_sensitivity`
    // stays unmasked.
    /gh[oprsu]_[\w.-]{10,}|github_pat_\w{10,}|v1\.[0-9a-f]{40}/,
    /\b(?:bearer|token|basic)\s+[\w.~+/=-]{16,}/,
    // An app's JWT: three base64 parts, of which the first is a JSON object.
    /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/,
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

export function maskCredentials(text: string): string {
  const credentials = text.matchAll(CREDENTIAL).map(({ 0: found, index }) => ({
    kind: "credential",
    start: index,
    end: index + found.length,
  }));
  return maskSpans(text, [...credentials, ...findSecrets(text)], () => MASK);
}
