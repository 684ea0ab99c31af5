/** Finds secrets that are encoded in base64 once. The whole run of base64 counts as the secret. */
import type { SecretSpan } from "./secret-span.ts";
import { decodeText } from "./value-strength.ts";

/**
 * Shorter runs hold no token. Four characters hold three bytes, and the first of the four says whether the first byte is printable:
 * names and paths fail early.
 */
const RUN =
  /(?<![A-Za-z0-9+/_-])(?:[CDI-Za-f][A-Za-z0-9+/_-]{3}){5,}[A-Za-z0-9+/_-]{0,3}={0,2}(?![A-Za-z0-9+/_-])/g;
/** Longer runs are images, fonts and archives. */
const MAX_RUN_CHARS = 100_000;
/** Separates decoded texts, so that no match spans two of them. */
const SEPARATOR = "\n\n\n\n\n\n";

/** `find` gets all decoded texts as one text. Linear if `find` is. */
export function findEncodedSecrets(
  text: string,
  find: (decoded: string) => readonly SecretSpan[],
): readonly SecretSpan[] {
  const runs: { readonly start: number; readonly end: number; readonly decodedEnd: number }[] = [];
  const parts: string[] = [];
  let decodedEnd = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const decoded = run.length > MAX_RUN_CHARS ? null : decodeText(run);
    if (decoded === null) continue;
    parts.push(decoded);
    decodedEnd += decoded.length + SEPARATOR.length;
    runs.push({ start: index, end: index + run.length, decodedEnd });
  }
  if (runs.length === 0) return [];
  const found = find(parts.join(SEPARATOR));
  let at = 0;
  return runs.flatMap(({ start, end, decodedEnd: until }) => {
    const first = at;
    while ((found[at]?.start ?? until) < until) at++;
    return at > first ? [{ kind: "encoded-secret", start, end }] : [];
  });
}
