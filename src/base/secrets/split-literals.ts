/**
 * Finds secrets that are split over string literals or continued lines. It searches the text without the joints, and returns
 * the parts of each secret in the original text, one span for each part.
 */
import type { SecretSpan } from "./secret-span.ts";

/** Numbers and markers before a line, as in a listing or a diff. */
const MARGIN = String.raw`(?:[ \d]{1,20}\|)?[+-]?`;
const OPERATOR = String.raw`(?:[+&.]|\.\.|<>)?`;
/** A quote, an operator or a line end, and the same quote again; or a line that ends in a backslash. */
const JOINT = new RegExp(
  [
    String.raw`(?<quote>["'])[ \t]{0,20}(?:(?:[+&.]|\.\.)[ \t]{0,20}|${OPERATOR}[ \t]{0,20}\\?\r?\n${MARGIN}[ \t]{0,60}${OPERATOR}[ \t]{0,20})[@bru]?\k<quote>(?![^\"'\x60\n]{0,60}\k<quote>[ \t]{0,4}[:=])`,
    String.raw`(?<=[\w+/=-])\\\r?\n${MARGIN}[ \t]{0,60}`,
  ].join("|"),
  "g",
);

/** Text farther from a joint than this can't be part of a secret that spans it. */
const MAX_REACH_CHARS = 400;
const GAP = "\n\n\n\n";

/** A part of the text, and where it is in the joined one. */
type Part = { readonly start: number; readonly end: number; readonly joinedStart: number };

/** `find` gets everything near joints, joined, as one text. Linear if `find` is. */
export function findSplitSecrets(
  text: string,
  find: (joined: string) => readonly SecretSpan[],
): readonly SecretSpan[] {
  const { joined, parts } = join(text);
  if (parts.length === 0) return [];
  const spans: SecretSpan[] = [];
  let at = 0;
  for (const { kind, start, end } of find(joined)) {
    while ((parts[at + 1]?.joinedStart ?? end) <= start) at++;
    // A secret in one piece is found in the text itself.
    if ((parts[at + 1]?.joinedStart ?? end) >= end) continue;
    for (const part of partsUntil(parts, at, end)) {
      const offset = part.start - part.joinedStart;
      const span = {
        kind,
        start: Math.max(part.start, start + offset),
        end: Math.min(part.end, end + offset),
      };
      if (span.end > span.start) spans.push(span);
    }
  }
  return spans;
}

function join(text: string): { readonly joined: string; readonly parts: readonly Part[] } {
  const parts: Part[] = [];
  let joined = "";
  const add = (start: number, end: number): void => {
    parts.push({ start, end, joinedStart: joined.length });
    joined += text.slice(start, end);
  };
  let from = 0;
  for (const { 0: joint, index } of text.matchAll(JOINT)) {
    if (index - from > 2 * MAX_REACH_CHARS) {
      if (from > 0) add(from, from + MAX_REACH_CHARS);
      joined += GAP;
      add(index - MAX_REACH_CHARS, index);
    } else add(from, index);
    from = index + joint.length;
  }
  if (parts.length > 0) add(from, Math.min(text.length, from + MAX_REACH_CHARS));
  return { joined, parts };
}

function* partsUntil(parts: readonly Part[], from: number, end: number): Generator<Part> {
  for (let at = from; at < parts.length; at++) {
    const part = parts[at];
    if (part === undefined || part.joinedStart >= end) return;
    yield part;
  }
}
