/** The translation files of a change with those of the other languages, as groups that have the same texts. */
import { translationsOf, translationName } from "../../base/translation-paths.ts";
import { textBefore } from "../../review/change/reverse-file.ts";
import type { ChangeView } from "../rule.ts";
import { readTranslation, type TranslatedText, type TranslatedTexts } from "./translation-formats.ts";

export type Translation = {
  readonly path: string;
  /** As in the path; "" for the texts that others translate. */
  readonly language: string;
  readonly texts: TranslatedTexts;
  /** Null for a file that the change doesn't touch. */
  readonly changed: {
    /** Empty for a new file. */
    readonly before: TranslatedTexts;
    readonly added: ReadonlySet<number>;
  } | null;
};

const READ = new WeakMap<ChangeView, readonly (readonly Translation[])[]>();

/** The groups of which the change touches a file. They are read once for all rules. */
export function translationGroups(view: ChangeView): readonly (readonly Translation[])[] {
  const groups = READ.get(view) ?? Array.from(readGroups(view));
  READ.set(view, groups);
  return groups;
}

function* readGroups({ files, translations = new Map() }: ChangeView): Iterable<readonly Translation[]> {
  const changed = new Map(
    files.flatMap((view) => (view.category === "test" ? [] : [[view.path, view] as const])),
  );
  const groups = new Set(
    [...translations.keys()].flatMap((path) =>
      changed.has(path) ? (translationName(path)?.group ?? []) : [],
    ),
  );
  for (const group of groups)
    yield Array.from(translationsOf(group, translations.keys())).flatMap(
      ([path, { language }]): readonly Translation[] => {
        const text = translations.get(path) ?? "";
        const now = keyed(readTranslation(path, text), language);
        if (now === null) return [];
        const view = changed.get(path);
        if (view === undefined) return [{ path, language, texts: now, changed: null }];
        const isNew = view.file.oldPath === null;
        const earlier = isNew ? null : readTranslation(path, textBefore(view.file, text));
        const before: TranslatedTexts = keyed(earlier, language) ?? new Map();
        const added = new Set(view.added.map(({ line }) => line));
        return [{ path, language, texts: now, changed: { before, added } }];
      },
    );
}

export type ChangedText = TranslatedText & { readonly key: string; readonly before: string | undefined };

/** The texts that the change wrote, each with the first line that it added of it. */
export function* changedTexts({ texts, changed }: Translation): Iterable<ChangedText> {
  if (changed === null) return;
  for (const [key, text] of texts) {
    const line = linesFrom(text.line, text.endLine).find((each) => changed.added.has(each));
    const before = changed.before.get(key)?.text;
    if (line !== undefined && before !== text.text) yield { ...text, key, line, before };
  }
}

function linesFrom(line: number, endLine: number): readonly number[] {
  return Array.from({ length: Math.min(endLine - line, MAX_LINES) + 1 }, (_, index) => line + index);
}

/** A longer text is a document. */
const MAX_LINES = 40;

/** Without the language that YAML files of Rails begin with. */
function keyed(texts: TranslatedTexts | null, language: string): TranslatedTexts | null {
  if (texts === null) return null;
  const root = `${language.replace("_", "-").toLowerCase()}.`;
  const rootOf = (key: string): string => key.slice(0, root.length).replace("_", "-").toLowerCase();
  return new Map(
    Array.from(texts, ([key, text]) => [rootOf(key) === root ? key.slice(root.length) : key, text]),
  );
}

/** How likely the texts are those that the other languages translate; 0: they aren't. */
export function sourceRank({ language }: Pick<Translation, "language">): number {
  if (language === "") return 4;
  const code = language.replace("_", "-").toLowerCase();
  return code === "en" ? 3 : code === "en-us" || code === "en-rus" ? 2 : code.startsWith("en-") ? 1 : 0;
}
