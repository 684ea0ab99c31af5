/** The nearest known name, for "did you mean". */
import { closest, distance } from "fastest-levenshtein";

/** A swap of two letters costs two. */
const ALWAYS_NEAR = 2;

/** Null when nothing is near: when more than a third of the letters would have to change, or half in a short name. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (known.length === 0 || word.length > 100) return null;
  const found = closest(
    word.toLowerCase(),
    known.map((name) => name.toLowerCase()),
  );
  const index = known.findIndex((name) => name.toLowerCase() === found);
  const name = known[index];
  if (name === undefined) return null;
  return distance(word.toLowerCase(), found) <= nearDistance(name) ? name : null;
}

function nearDistance(name: string): number {
  return name.length < 4 ? 1 : Math.max(ALWAYS_NEAR, Math.floor(name.length / 3));
}
