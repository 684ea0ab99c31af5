/**
 * A translation whose placeholders aren't those of the text that it translates: `{albumu}` for `{album}`, `%1 $s` for `%1$s`. The program
 * fills placeholders by name or number, so the reader sees the braces, or the program fails. Placeholders that are only missing can be meant.
 */
import { type ChangeRule, type RuleMatch } from "../rule.ts";
import { placeholderFault, type PlaceholderStyle, placeholdersIn } from "../lines/placeholders.ts";
import { changedTexts, sourceRank, type Translation, translationGroups } from "../lines/translations.ts";

export const localePlaceholder: ChangeRule = {
  kind: "change",
  id: "locale-placeholder",
  title: "Unknown placeholder in a translation",
  severity: "medium",
  category: "correctness",
  why: "Placeholders are filled by their names or numbers, which aren't translated: people see the placeholder instead of the value, or the program fails.",
  fix: "Write the placeholder as in the other languages.",
  *check(view): Iterable<RuleMatch & { readonly path: string }> {
    for (const group of translationGroups(view))
      for (const translation of group) yield* faultsIn(translation, group);
  },
};

function* faultsIn(
  translation: Translation,
  group: readonly Translation[],
): Iterable<RuleMatch & { readonly path: string }> {
  const { path, language } = translation;
  const others = group
    .filter((other) => other.path !== path)
    .toSorted((one, other) => sourceRank(other) - sourceRank(one));
  for (const { key, text, line, before, sources, isPrintf } of changedTexts(translation)) {
    const style = { isPrintf, hasColons: path.endsWith(".php") };
    if (sources === undefined && sourceRank({ language }) > 0) continue;
    const meant = sources ?? sourcesOf(key, others, style);
    const fault = meant === null ? null : placeholderFault(text, meant, style);
    if (fault === null || meant === null) continue;
    // The change didn't bring it.
    if (before !== undefined && placeholderFault(before, meant, style)?.title === fault.title) continue;
    yield { path, line, ...fault };
  }
}

/** The text of the source language, or of at least two other languages that agree. */
function sourcesOf(
  key: string,
  others: readonly Translation[],
  style: PlaceholderStyle,
): readonly string[] | null {
  const found = others.filter(({ texts }) => texts.has(key));
  const [first, ...rest] = found.map(({ texts }) => texts.get(key)?.text ?? "");
  if (first === undefined || found[0] === undefined) return null;
  if (sourceRank(found[0]) > 0) return [first];
  const names = placeholdersIn(first, style);
  const isAgreed = rest.every((text) => placeholdersIn(text, style).symmetricDifference(names).size === 0);
  return rest.length > 0 && isAgreed ? [first] : null;
}
