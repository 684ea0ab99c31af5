/**
 * Reads Elixir's literal terms: what mix.lock consists of. Nothing is evaluated. Lists inside tuples are most of a large file and
 * seldom needed, so they stay unread until they are.
 */
export type Term =
  | { readonly kind: "text" | "atom" | "number"; readonly value: string }
  | { readonly kind: "tuple" | "list" | "map"; readonly items: readonly Term[]; readonly pairs: Pairs }
  /** A list as it's written. */
  | { readonly kind: "unread"; readonly text: string };

/** Keys of a map or a keyword list, in order. */
type Pairs = readonly (readonly [string, Term])[];

/** Entries of mix.lock need 3. */
const MAX_DEPTH = 50;
/** A list at this depth is inside a tuple inside the root. */
const UNREAD_DEPTH = 2;

const WORD = /[A-Za-z_][\w.@]*[?!]?/y;
const NUMBER = /-?\d[\w.]*/y;

/** The term that makes up the whole text; null when the text isn't one. */
export function parseTerm(text: string): Term | null {
  const reader = { text, at: text.charCodeAt(0) === 0xfeff ? 1 : 0 };
  skipSpace(reader);
  const term = readTerm(reader, 0);
  skipSpace(reader);
  return reader.at === text.length ? term : null;
}

/** The parts of a list that was left unread; none when it's no list. */
export function openList(term: Term | undefined): { readonly items: readonly Term[]; readonly pairs: Pairs } {
  const read = term?.kind === "unread" ? parseTerm(term.text) : term;
  return read?.kind === "list" ? read : { items: [], pairs: [] };
}

type Reader = { readonly text: string; at: number };

/** Commas separate as spaces do. */
function skipSpace(reader: Reader): void {
  const { text } = reader;
  for (;;) {
    const char = text.charCodeAt(reader.at);
    if (char === 35) {
      const end = text.indexOf("\n", reader.at);
      reader.at = end === -1 ? text.length : end;
    } else if (char === 32 || char === 10 || char === 44 || char === 13 || char === 9) reader.at += 1;
    else return;
  }
}

function take(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  if (!pattern.test(reader.text)) return null;
  const value = reader.text.slice(reader.at, pattern.lastIndex);
  reader.at = pattern.lastIndex;
  return value;
}

function readTerm(reader: Reader, depth: number): Term | null {
  if (depth > MAX_DEPTH) return null;
  const { text, at } = reader;
  const char = text[at];
  if (char === "[" && depth >= UNREAD_DEPTH) return skipList(reader);
  if (char === "[") return readGroup(reader, { kind: "list", close: "]", depth });
  if (char === "{") return readGroup(reader, { kind: "tuple", close: "}", depth });
  if (char === '"') return asTerm("text", readText(reader));
  if (char === ":") {
    reader.at += 1;
    return asTerm("atom", text[at + 1] === '"' ? readText(reader) : take(reader, WORD));
  }
  if (char === "%" && text[at + 1] === "{") {
    reader.at += 1;
    return readGroup(reader, { kind: "map", close: "}", depth });
  }
  return asTerm("number", take(reader, NUMBER)) ?? asTerm("atom", take(reader, WORD));
}

function asTerm(kind: "text" | "atom" | "number", value: string | null): Term | null {
  return value === null ? null : { kind, value };
}

/** The text in quotes; null when it has no end. */
function readText(reader: Reader): string | null {
  const { text, at } = reader;
  const end = endOfText(text, at);
  if (end === null) return null;
  reader.at = end;
  const value = text.slice(at + 1, end - 1);
  return value.includes("\\") ? value.replace(/\\(.)/gs, "$1") : value;
}

/** Behind the closing quote. */
function endOfText(text: string, start: number): number | null {
  let at = start + 1;
  for (;;) {
    const char = text.charCodeAt(at);
    if (char === 34) return at + 1;
    if (Number.isNaN(char)) return null;
    at += char === 92 ? 2 : 1;
  }
}

/** Moves behind a list by its brackets alone. */
function skipList(reader: Reader): Term | null {
  const { text, at: start } = reader;
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 34) {
      const end = endOfText(text, at);
      if (end === null) return null;
      at = end - 1;
    } else if (char === 91) open += 1;
    else if (char === 93) open -= 1;
    if (open > 0) continue;
    reader.at = at + 1;
    return { kind: "unread", text: text.slice(start, at + 1) };
  }
  return null;
}

type Group = { readonly kind: "tuple" | "list" | "map"; readonly close: string; readonly depth: number };

/** Items, and pairs as `key: value`, `"key": value` and `"key" => value`. */
function readGroup(reader: Reader, { kind, close, depth }: Group): Term | null {
  const { text } = reader;
  const items: Term[] = [];
  const pairs: (readonly [string, Term])[] = [];
  reader.at += 1;
  for (;;) {
    skipSpace(reader);
    if (reader.at >= text.length) return null;
    if (text[reader.at] === close) break;
    const item = readTerm(reader, depth + 1);
    if (item === null) return null;
    if (!takeArrow(reader)) {
      items.push(item);
      continue;
    }
    skipSpace(reader);
    const value = readTerm(reader, depth + 1);
    if (value === null || !("value" in item)) return null;
    pairs.push([item.value, value]);
  }
  reader.at += 1;
  return kind === "map" && items.length > 0 ? null : { kind, items, pairs };
}

function takeArrow(reader: Reader): boolean {
  const { text, at } = reader;
  const char = text.charCodeAt(at);
  if (char === 58) {
    reader.at += 1;
    return true;
  }
  if (char !== 32 && char !== 61) return false;
  let arrow = at;
  while (text.charCodeAt(arrow) === 32) arrow += 1;
  if (!text.startsWith("=>", arrow)) return false;
  reader.at = arrow + 2;
  return true;
}
