/**
 * The terms of a text for full-text search: words without endings, and identifiers as a whole and in parts. Synonyms and kinds of defects
 * are left to the vectors: two lists that fail on different texts are better together than two that fail on the same ones.
 */
import { defectWords, stemsIn } from "../review/findings/defect-words.ts";

/** Keeps the index of one text small. A finding has fewer than half as many. */
const MAX_TERMS = 200;

/** How often each term occurs, at most 200 terms. */
export function termsOf(text: string): ReadonlyMap<string, number> {
  const { fillers } = defectWords();
  const terms = new Map<string, number>();
  for (const stem of stemsIn(text)) {
    if (stem.length < 2 || fillers.has(stem)) continue;
    if (terms.size < MAX_TERMS || terms.has(stem)) terms.set(stem, (terms.get(stem) ?? 0) + 1);
  }
  return terms;
}
