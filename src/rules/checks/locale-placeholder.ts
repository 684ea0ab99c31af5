/**
 * A translation that renames a placeholder: `{albumu}` for `{album}`. The program fills placeholders by name, so the reader sees the
 * braces. Texts are compared with those of the same key in the other languages of the change.
 */
import { isTranslationFile } from "../../base/path-kinds.ts";
import type { AddedLine } from "../../review/change/walk-hunks.ts";
import { type ChangeRule, type FileView, nameOr, type RuleMatch } from "../rule.ts";

const TEXT_FILE = /\.(?:json|json5|arb|js|ts|mjs|cjs)$/;

/** A name of a file or folder that is, or ends with, the code of a language. */
const CODE = /(?:^|[._-])((?:[a-z]{2}|[a-z]{3}(?=[_-])|fil|ckb|kab|ast|yue|cmn)(?:[_-]\w{2,12}){0,2})$/i;

/** One text on its line. */
const ENTRY = /^(["']?)([^"':{}]{1,200})\1 {0,4}(?::|=>) {0,4}(["'])(.*)\3,?$/;

/** A deeper key with a short name can be another one in each file. */
const MAX_INDENT = 4;
const MIN_OWN_NAME = 12;

/** Plurals and choices have braces around words. */
const CHOICE = /,\s?(?:plural|select|selectordinal|choice)\b/;

const PLACEHOLDER =
  /\{\{\s?([\p{L}_][\p{L}\p{N}_.]{0,40})\s?(?:,[^{}]{0,60})?\}\}|(?<!\$)%?\{\s?([\p{L}_][\p{L}\p{N}_.]{0,40})\s?\}|%\(([\p{L}_]\w{0,40})\)[sd]/gu;

type Text = { readonly line: number; readonly names: ReadonlySet<string> };

type Locale = {
  readonly path: string;
  readonly isEnglish: boolean;
  readonly texts: ReadonlyMap<string, Text>;
};

export const localePlaceholder: ChangeRule = {
  kind: "change",
  id: "locale-placeholder",
  title: "Unknown placeholder in a translation",
  severity: "medium",
  category: "correctness",
  why: "Placeholders are filled by their names, which aren't translated: people see the braces instead of the value.",
  fix: "Write the placeholder's name as in the other languages.",
  *check({ files }): Iterable<RuleMatch & { readonly path: string }> {
    const groups = Map.groupBy(files.filter(hasTexts), ({ path }) => groupOf(path)?.key ?? "");
    groups.delete("");
    for (const views of groups.values()) {
      if (views.length < 2) continue;
      const locales = views.map(readLocale);
      for (const locale of locales) yield* renamedIn(locale, locales);
    }
  },
};

function hasTexts({ path, file }: FileView): boolean {
  return file.status !== "deleted" && TEXT_FILE.test(path) && isTranslationFile(path);
}

/** The path with the language left out: the same for all languages of a text. */
function groupOf(path: string): { readonly key: string; readonly code: string } | null {
  const [stem = ""] = path.split(/\.[^./]*$/);
  const parts = stem.split("/");
  for (const [at, part] of [...parts.entries()].reverse()) {
    const code = CODE.exec(part)?.[1];
    if (code === undefined) continue;
    const named = `${part.slice(0, part.length - code.length)}*`;
    return { key: [...parts.slice(0, at), named, ...parts.slice(at + 1)].join("/"), code };
  }
  return null;
}

function readLocale({ path, added }: FileView): Locale {
  const texts = new Map<string, Text>();
  const repeated = new Set<string>();
  for (const one of added) {
    const entry = readEntry(one);
    if (entry === null) continue;
    if (texts.has(entry.key)) repeated.add(entry.key);
    texts.set(entry.key, { line: one.line, names: entry.names });
  }
  for (const key of repeated) texts.delete(key);
  return { path, isEnglish: /^en(?:[_-](?:us|gb))?$/i.test(groupOf(path)?.code ?? ""), texts };
}

function readEntry({
  text,
}: AddedLine): { readonly key: string; readonly names: ReadonlySet<string> } | null {
  const trimmed = text.trim();
  const [, , key = "", , value] = ENTRY.exec(trimmed) ?? [];
  if (value === undefined || CHOICE.test(value)) return null;
  if (text.length - text.trimStart().length > MAX_INDENT && key.length < MIN_OWN_NAME) return null;
  const names = value.matchAll(PLACEHOLDER).map(([, a, b, c]) => a ?? b ?? c ?? "");
  return { key, names: new Set(names) };
}

function* renamedIn(
  { path, isEnglish, texts }: Locale,
  locales: readonly Locale[],
): Iterable<RuleMatch & { readonly path: string }> {
  if (isEnglish) return;
  for (const [key, { line, names }] of texts) {
    const meant = names.size === 0 ? null : agreedNames(key, path, locales);
    if (meant === null) continue;
    const [unknown] = names.difference(meant);
    const missing = [...meant.difference(names)];
    if (unknown === undefined || missing.length === 0) continue;
    const others = missing.map((name) => nameOr(name, "another name")).join(" and ");
    yield {
      path,
      line,
      title: `Unknown placeholder: ${nameOr(unknown, "this one")} isn't known in other languages`,
      detail: `This text lacks ${others}, which the other languages of this change have.`,
    };
  }
}

/** The placeholders of a text in English, or in at least two other languages that agree. */
function agreedNames(key: string, path: string, locales: readonly Locale[]): ReadonlySet<string> | null {
  const others = locales.filter((other) => other.path !== path && other.texts.has(key));
  const english = others.find(({ isEnglish }) => isEnglish);
  const [first, ...rest] = (english === undefined ? others : [english]).map(
    ({ texts }) => texts.get(key)?.names ?? new Set<string>(),
  );
  if (first === undefined || (english === undefined && rest.length === 0)) return null;
  return rest.every((names) => names.symmetricDifference(first).size === 0) ? first : null;
}
