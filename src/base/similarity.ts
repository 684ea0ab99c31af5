/** The similarity of two texts: by characters for code, by words for prose. */
import { distance } from "fastest-levenshtein";

/** Edit distance is quadratic, so only the start of a longer line is compared. */
const MAX_COMPARED_CHARS = 400;

/** 1 for equal texts, 0 for texts with nothing in common. */
export function similarity(a: string, b: string): number {
  const [left, right] = [a.slice(0, MAX_COMPARED_CHARS), b.slice(0, MAX_COMPARED_CHARS)];
  const longest = Math.max(left.length, right.length);
  if (longest === 0) return 1;
  if (Math.abs(a.length - b.length) > longest) return 0;
  return 1 - distance(left, right) / longest;
}

/** One letter added, dropped or replaced, or two neighbors swapped. */
export function isOneEditApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  if (distance(a, b) === 1) return true;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return a.length === b.length && a.slice(0, at) + a.charAt(at + 1) + a.charAt(at) + a.slice(at + 2) === b;
}

const FILLERS = new Set([
  "the",
  "and",
  "for",
  "with",
  "that",
  "this",
  "from",
  "into",
  "are",
  "was",
  "not",
  "can",
  "may",
  "its",
  "has",
]);

/** Words that carry meaning, without their endings. */
export function contentWords(text: string): ReadonlySet<string> {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(
    found.filter((word) => !FILLERS.has(word)).map((word) => word.replace(/(?:ing|ed|es|s)$/, "")),
  );
}

/** The share of common words, relative to the shorter text. */
export function wordOverlap(a: string, b: string): number {
  const [left, right] = [contentWords(a), contentWords(b)];
  const smaller = Math.min(left.size, right.size);
  if (smaller === 0) return a.trim().toLowerCase() === b.trim().toLowerCase() ? 1 : 0;
  return left.intersection(right).size / smaller;
}
