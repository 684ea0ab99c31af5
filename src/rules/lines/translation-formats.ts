/**
 * Reads the texts of a translation file with their keys and lines. Except for JSON, the readers go line by line: tools write these files,
 * and an entry that isn't understood is left out.
 */
import { parseJsonObject, valueAt, visitKeys } from "../../base/documents/json-file.ts";

export type TranslatedText = {
  /** 1-based lines of the entry, both inclusive. */
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
  /** The text that it translates, where the file itself has that. Omitted: another file has it. */
  readonly sources?: readonly string[];
  /** True: `%s` and its like are placeholders. */
  readonly isPrintf: boolean;
};

export type TranslatedTexts = ReadonlyMap<string, TranslatedText>;

/** Deeper texts are data. */
const MAX_DEPTH = 8;

const READERS: ReadonlyMap<string, (text: string) => TranslatedTexts | null> = new Map([
  ["json", readJson],
  ["arb", readJson],
  ["yml", readYaml],
  ["yaml", readYaml],
  ["properties", readProperties],
  ["strings", readStrings],
  ["xml", readResources],
  ["po", readPo],
]);

/** Null for a file that can't be read. */
export function readTranslation(path: string, text: string): TranslatedTexts | null {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return (READERS.get(extension) ?? readScript)(text.replaceAll("\r\n", "\n"));
}

function readJson(text: string): TranslatedTexts | null {
  const root = parseJsonObject(text);
  if (root === null) return null;
  const texts = new Map<string, TranslatedText>();
  visitKeys(text, MAX_DEPTH, (path, line) => {
    // Keys with `@` describe others in Flutter's files. Lists count as a key "".
    if (path.some((key) => key === "" || key.startsWith("@"))) return;
    const value = valueAt(root, path);
    if (typeof value === "string")
      texts.set(path.join("."), { line, endLine: line, text: value, isPrintf: false });
  });
  return texts;
}

const YAML_KEY = /^(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'#:[\]{}&*!|>%@`,-][^:#]{0,200})):(?: +(\S.*))?$/;
const LIST = "-";

type Level = { readonly indent: number; readonly key: string };

function readYaml(text: string): TranslatedTexts {
  const texts = new Map<string, TranslatedText>();
  let around: Level[] = [];
  /** The entry whose text may go on in deeper lines. */
  let open: { readonly key: string; readonly indent: number } | null = null;
  for (const [at, line] of text.split("\n").entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || (open === null && trimmed.startsWith("#"))) continue;
    const indent = line.length - line.trimStart().length;
    if (open !== null && indent > open.indent) {
      append(texts, open.key, trimmed, at + 1);
      continue;
    }
    open = null;
    around = around.filter((level) => level.indent < indent);
    if (/^-(?: |$)/.test(trimmed)) {
      around.push({ indent, key: LIST });
      continue;
    }
    const [, double, single, plain, value] = YAML_KEY.exec(trimmed) ?? [];
    const key = double ?? single ?? plain;
    if (key === undefined) continue;
    around.push({ indent, key });
    if (value === undefined || around.length > MAX_DEPTH || around.some((level) => level.key === LIST))
      continue;
    const path = around.map((level) => level.key).join(".");
    open = { key: path, indent };
    const isBlock = /^[|>][-+\d]{0,2}$/.test(value);
    texts.set(path, { line: at + 1, endLine: at + 1, text: isBlock ? "" : unquote(value), isPrintf: false });
  }
  return texts;
}

function append(texts: Map<string, TranslatedText>, key: string, more: string, endLine: number): void {
  const known = texts.get(key);
  // Longer texts are documents.
  if (known !== undefined && known.text.length < 2_000)
    texts.set(key, { ...known, endLine, text: `${known.text} ${more}` });
}

function unquote(value: string): string {
  const [, , inner] = /^(["'])(.*)\1$/.exec(value) ?? [];
  return inner ?? value;
}

const PROPERTY = /^((?:[^\s=:\\]|\\.){1,200}) {0,20}[=:] {0,20}(.*)$/;

function readProperties(text: string): TranslatedTexts {
  const texts = new Map<string, TranslatedText>();
  let open: string | null = null;
  for (const [at, line] of text.split("\n").entries()) {
    const trimmed = line.trim();
    const goesOn = /(?:^|[^\\])(?:\\\\)*\\$/.test(trimmed.slice(-20));
    const own = goesOn ? trimmed.slice(0, -1) : trimmed;
    if (open === null) {
      const [, key, value = ""] = /^[#!]/.test(trimmed) ? [] : (PROPERTY.exec(own) ?? []);
      if (key === undefined) continue;
      texts.set(key, { line: at + 1, endLine: at + 1, text: value, isPrintf: false });
      open = key;
    } else append(texts, open, own, at + 1);
    if (!goesOn) open = null;
  }
  return texts;
}

const STRING = /^"((?:[^"\\]|\\.){1,400})" ?= ?"((?:[^"\\]|\\.)*)" ?;/;

/** Apple's format. */
function readStrings(text: string): TranslatedTexts {
  const texts = new Map<string, TranslatedText>();
  for (const [at, line] of text.split("\n").entries()) {
    const [, key, value] = STRING.exec(line.trim()) ?? [];
    if (key !== undefined && value !== undefined)
      texts.set(key, { line: at + 1, endLine: at + 1, text: value, isPrintf: true });
  }
  return texts;
}

const RESOURCE = /<string\s+name="([\w.]{1,200})"([^<>]{0,200})>/g;
const RESOURCE_END = "</string>";
/** A search to the end of the file for each text would take quadratic time. */
const MAX_RESOURCE_CHARS = 2_000;

/** Android's format, without plurals and lists. */
function readResources(text: string): TranslatedTexts {
  const texts = new Map<string, TranslatedText>();
  let [line, counted] = [1, 0];
  for (const found of text.matchAll(RESOURCE)) {
    const start = found.index + found[0].length;
    const [, key = "", attributes = ""] = found;
    for (; counted < found.index; counted++) if (text[counted] === "\n") line++;
    const shown = text.slice(start, start + MAX_RESOURCE_CHARS);
    const end = shown.indexOf(RESOURCE_END);
    if (end === -1) continue;
    if (attributes.endsWith("/") || attributes.includes('translatable="false"')) continue;
    const value = shown.slice(0, end);
    const endLine = line + value.split("\n").length - 1;
    texts.set(key, { line, endLine, text: value, isPrintf: !attributes.includes('formatted="false"') });
  }
  return texts;
}

/** One text on its line, in files of code. */
const SCRIPT_TEXT = /^(["']?)([^"':{}]{1,200})\1 {0,4}(?::|=>) {0,4}(["'`])(.*)\3,?$/;

/** A deeper key with a short name can be another one in each file. */
const MAX_INDENT = 4;
const MIN_OWN_NAME = 12;

function readScript(text: string): TranslatedTexts {
  const texts = new Map<string, TranslatedText>();
  const repeated = new Set<string>();
  for (const [at, line] of text.split("\n").entries()) {
    const [, , key, , value] = SCRIPT_TEXT.exec(line.trim()) ?? [];
    if (key === undefined || value === undefined) continue;
    if (line.length - line.trimStart().length > MAX_INDENT && key.length < MIN_OWN_NAME) continue;
    if (texts.has(key)) repeated.add(key);
    texts.set(key, { line: at + 1, endLine: at + 1, text: value, isPrintf: false });
  }
  for (const key of repeated) texts.delete(key);
  return texts;
}

type PoField = { readonly line: number; endLine: number; text: string };
type PoEntry = { readonly flags: string; readonly fields: Map<string, PoField> };

const PO_FIELD = /^(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?) {0,4}(".*")$/;

/** Gettext's format. A fuzzy entry isn't used. */
function readPo(text: string): TranslatedTexts {
  const texts = new Map<string, TranslatedText>();
  let entry: PoEntry = { flags: "", fields: new Map() };
  let last: PoField | null = null;
  const next = (flags: string): void => {
    addPoTexts(entry, texts);
    entry = { flags, fields: new Map() };
    last = null;
  };
  for (const [at, line] of text.split("\n").entries()) {
    const trimmed = line.trim();
    const [, name, quoted = ""] = PO_FIELD.exec(trimmed) ?? [];
    if (trimmed.startsWith("#"))
      next(trimmed.startsWith("#,") ? trimmed : entry.fields.size > 0 ? "" : entry.flags);
    else if (name !== undefined) {
      if (/^msg(?:ctxt|id)$/.test(name) && entry.fields.has("msgid")) next("");
      last = { line: at + 1, endLine: at + 1, text: quoted.slice(1, -1) };
      entry.fields.set(name, last);
    } else if (last !== null && /^".*"$/.test(trimmed)) {
      last.text += trimmed.slice(1, -1);
      last.endLine = at + 1;
    }
  }
  addPoTexts(entry, texts);
  return texts;
}

function addPoTexts({ flags, fields }: PoEntry, texts: Map<string, TranslatedText>): void {
  const id = fields.get("msgid")?.text ?? "";
  if (id === "" || /\bfuzzy\b/.test(flags)) return;
  const isPrintf = /(?<!no-)\b(?:c|php|python)-format\b/.test(flags);
  const sources = [id, fields.get("msgid_plural")?.text ?? id];
  for (const [name, { line, endLine, text }] of fields)
    if (name.startsWith("msgstr") && text !== "") {
      const key = [fields.get("msgctxt")?.text ?? "", id, name].join("\u0000");
      texts.set(key, { line, endLine, text, sources, isPrintf });
    }
}
