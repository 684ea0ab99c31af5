/**
 * A translation in which a word mixes alphabets, such as a Bulgarian word with a Latin `a`, or a text in Traditional Chinese among
 * those in Simplified. One finding for each file, because such texts come together.
 */
import { count } from "../../base/count.ts";
import type { TranslatedTexts } from "../lines/translation-formats.ts";
import type { ChangeRule, RuleMatch } from "../rule.ts";
import { otherChinese, type Stray, strayChinese, strayLetters } from "../lines/scripts.ts";
import { changedTexts, type Translation, translationGroups } from "../lines/translations.ts";

export const localeScript: ChangeRule = {
  kind: "change",
  id: "locale-script",
  title: "Letters of another script in a translation",
  severity: "minor",
  category: "correctness",
  why: "People may not see the difference, but search, sorting, spell checkers and screen readers take it for another word; the two ways to write Chinese are read by different people.",
  fix: "Write the word with the letters of its language.",
  *check(view): Iterable<RuleMatch & { readonly path: string }> {
    for (const group of translationGroups(view))
      for (const translation of group) {
        const [first, ...others] = straysIn(translation, group);
        if (first === undefined) continue;
        const { stray, line } = first;
        const title = stray.word === "" ? `${stray.from} Chinese among ${stray.among}` : undefined;
        yield { path: translation.path, line, ...(title && { title }), detail: detailOf(stray, others) };
      }
  },
};

type Found = { readonly line: number; readonly stray: Stray };

function straysIn(translation: Translation, group: readonly Translation[]): readonly Found[] {
  const locale = localeOf(translation.language);
  const strayIn = locale === null ? null : searchFor(locale, translation.texts);
  if (strayIn === null) return [];
  return Array.from(changedTexts(translation)).flatMap(({ key, text, line, before }): readonly Found[] => {
    const stray = strayIn(text);
    if (stray === null || isSameElsewhere(key, text, group)) return [];
    // The change didn't bring it.
    const isOld = before !== undefined && strayIn(before)?.letters === stray.letters;
    return isOld ? [] : [{ line, stray }];
  });
}

function searchFor(locale: Intl.Locale, texts: TranslatedTexts): ((text: string) => Stray | null) | null {
  if (!isChinese(locale)) return (text) => strayLetters(text, locale);
  const other = otherChinese(Array.from(texts.values(), ({ text }) => text));
  return other === null ? null : (text) => strayChinese(text, other);
}

/** A name, which stays as it is also where everything else is in other letters. */
function isSameElsewhere(key: string, text: string, group: readonly Translation[]): boolean {
  return group.some(({ language, texts }) => {
    const script = localeOf(language)?.script ?? "Latn";
    return script === "Latn" && texts.get(key)?.text === text;
  });
}

const CHINESE: ReadonlySet<string> = new Set(["cmn", "yue", "zh"]);

function isChinese({ language }: Intl.Locale): boolean {
  return CHINESE.has(language);
}

/** Null for the texts that others translate. Android writes `zh-rCN`. */
function localeOf(language: string): Intl.Locale | null {
  if (language === "") return null;
  try {
    return new Intl.Locale(language.replaceAll("_", "-").replace(/-r(?=[A-Z]{2}$)/, "-")).maximize();
  } catch {
    return null;
  }
}

/** More lines wouldn't be read. */
const MAX_LINES = 5;

function detailOf({ word, letters, from, among }: Stray, others: readonly Found[]): string {
  const are = Array.from(letters).length === 1 ? "is" : "are";
  const what =
    word === ""
      ? `\`${letters}\` ${are} ${from} Chinese, and the other texts of the file are in ${among} Chinese.`
      : `In \`${word}\`, \`${letters}\` ${are} ${from}, and the other letters are ${among}.`;
  if (others.length === 0) return what;
  const lines = others.slice(0, MAX_LINES).map(({ line }) => line);
  const rest = others.length > MAX_LINES ? `, and ${others.length - MAX_LINES} more` : "";
  return `${what} The same in ${count(others.length, "other text")}: line ${lines.join(", ")}${rest}.`;
}
