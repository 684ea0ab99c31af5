/** Tells which files have the same texts in several languages, by path only. It never reads a file. */
import { isTranslationFile } from "./path-kinds.ts";

export type TranslationName = {
  /** The path with `*` for the language: the same for all languages of a text. */
  readonly group: string;
  /** As the path writes it; "" for a file without one, which has the texts that others translate. */
  readonly language: string;
};

const FORMAT =
  /\.(?:json5?|arb|ya?ml|properties|strings|po|php|[cm]?[jt]s)$|(?:^|\/)values(?:-[\w-]+)?\/\w+\.xml$/i;

/** Java's resource bundles need no folder of their own. */
const BUNDLE = /\.properties$/i;

/** At the end of the name of a file or folder. Apple's folders end in `.lproj`. */
const LANGUAGE =
  /(?:^|[._-])((?:[a-z]{2}|[a-z]{3}(?=[_-])|fil|ckb|kab|ast|yue|cmn)(?:[_-](?:r?[a-z]{2}|[a-z]{4}|\d{3})){0,2})(\.lproj)?$/i;

/** Made when it's needed: Node then reads all languages, which takes 20 ms. */
let languageNames: Intl.DisplayNames | null = null;

/** Null for a file that isn't in one language. */
export function translationName(path: string): TranslationName | null {
  if (!FORMAT.test(path) || !(isTranslationFile(path) || BUNDLE.test(path))) return null;
  const dot = path.lastIndexOf(".");
  const parts = path.slice(0, dot).split("/");
  for (const [at, part] of [...parts.entries()].reverse()) {
    const [, language, folder = ""] = LANGUAGE.exec(part) ?? [];
    if (language === undefined || !isLanguage(language)) continue;
    const start = part.slice(0, part.length - language.length - folder.length);
    const group = [...parts.slice(0, at), `${start}*${folder}`, ...parts.slice(at + 1)].join("/");
    return { group: `${group}${path.slice(dot)}`, language };
  }
  return null;
}

function isLanguage(code: string): boolean {
  const [primary = ""] = code.split(/[_-]/);
  languageNames ??= new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  return languageNames.of(primary.toLowerCase()) !== undefined;
}

/** The files of a group among the paths, by path. */
export function translationsOf(group: string, paths: Iterable<string>): ReadonlyMap<string, TranslationName> {
  const [start = "", end = ""] = group.split("*");
  const found = new Map<string, TranslationName>();
  const source = sourceOf(start, end);
  for (const path of paths) {
    if (path === source) found.set(path, { group, language: "" });
    else if (path.startsWith(start) && path.endsWith(end)) {
      const name = translationName(path);
      if (name?.group === group) found.set(path, name);
    }
  }
  return found;
}

/** Where Java, Android and Apple have the texts without a language. */
function sourceOf(start: string, end: string): string | null {
  if (BUNDLE.test(end) && start.endsWith("_")) return `${start.slice(0, -1)}${end}`;
  if (/(?:^|\/)values-$/.test(start)) return `${start.slice(0, -1)}${end}`;
  return end.startsWith(".lproj/") ? `${start}Base${end}` : null;
}
