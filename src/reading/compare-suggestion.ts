/** Parses a file with and without a suggestion in the reader. */
import {
  applySuggestion,
  type ParseComparison,
  type SuggestionPlace,
} from "../review/findings/verify-suggestion.ts";
import type { Reader } from "./reader.ts";

/** Both versions of a file of the largest size parse within a second or two. */
const MAX_COMPARE_MS = 10_000;

/** The file with the suggestion, and how it parses; null when the suggestion can't be applied. */
export async function compareSuggestion(
  suggestion: string,
  place: SuggestionPlace & { readonly language: string },
  reader: Reader,
): Promise<{ readonly after: string; readonly comparison: ParseComparison } | null> {
  const applied = applySuggestion(suggestion, place);
  if (applied.kind === "refused") return null;
  const { before, after } = applied;
  const reading = await reader.ask(
    "compare-parses",
    { language: place.language, before, after },
    MAX_COMPARE_MS,
  );
  return { after, comparison: reading.kind === "read" ? reading.value : "not-checked" };
}
