/**
 * Reads the YAML that package managers write into lockfiles: block maps and lists, quoted and plain scalars, flow maps and lists on one
 * line, block scalars. It is strict: anything else (anchors, aliases, tags, merge keys, duplicate keys, scalars over several lines) is
 * malformed. A general YAML parser takes seconds for a large lockfile; this one takes milliseconds and linear time.
 */

/** All scalars are strings, because versions must not become numbers. */
export type LockYaml = string | readonly LockYaml[] | LockYamlMap;
export type LockYamlMap = ReadonlyMap<string, LockYaml>;

export const isYamlMap = (value: LockYaml | undefined): value is LockYamlMap => value instanceof Map;

const NO_ENTRIES: LockYamlMap = new Map();

/** Empty for a value that isn't a map. */
export const yamlMapOf = (value: LockYaml | undefined): LockYamlMap =>
  isYamlMap(value) ? value : NO_ENTRIES;

/** Null when there is none, or it's empty. */
export function yamlText(map: LockYaml | undefined, key: string): string | null {
  const value = yamlMapOf(map).get(key);
  return typeof value === "string" && value !== "" ? value : null;
}

/** Lockfiles nest six levels at most. A deeper file could overflow the stack. */
const MAX_DEPTH = 64;

const SPACE = 32;
const TAB = 9;
const COLON = 58;
const HASH = 35;

/**
 * All parts of the reader are inside, because they share its place in the text. Returns the root map of the last document, or null for malformed text. `onKey` gets the 1-based line of each key of a block map, before the
 * key's value is complete.
 */
export function readLockYaml(
  text: string,
  onKey?: (map: LockYamlMap, key: string, line: number) => void,
): LockYamlMap | null {
  let isMalformed = false;
  /** Offset of the next line. */
  let next = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let lineNumber = 0;
  /** The current line without indentation and trailing spaces. Empty only at the end of the text. */
  let line = "";
  let indent = 0;

  function fail(): "" {
    isMalformed = true;
    line = "";
    next = text.length;
    return "";
  }

  /** The next line as it is, or null at the end. */
  function rawLine(): string | null {
    if (next >= text.length) return null;
    const newline = text.indexOf("\n", next);
    const end = newline === -1 ? text.length : newline;
    const raw = text.slice(next, text.charCodeAt(end - 1) === 13 && end > next ? end - 1 : end);
    next = end + 1;
    lineNumber++;
    return raw;
  }

  function advance(): void {
    for (let raw = rawLine(); raw !== null; raw = rawLine()) {
      let start = 0;
      while (raw.charCodeAt(start) === SPACE) start++;
      const first = raw.charCodeAt(start);
      if (start === raw.length || first === HASH) continue;
      if (first === TAB) {
        if (raw.trim() === "") continue;
        fail();
        return;
      }
      indent = start;
      line = raw.slice(start).trimEnd();
      return;
    }
    line = "";
  }

  function readBlock(depth: number): LockYaml {
    if (depth > MAX_DEPTH) return fail();
    if (isListItem(line)) return readList(depth);
    if (line.startsWith("? ") || keyEnd(line) !== -1) return readMap(depth);
    return readInline(line, indent - 1, depth);
  }

  function readList(depth: number): LockYaml {
    const listIndent = indent;
    const list: LockYaml[] = [];
    while (indent === listIndent && isListItem(line)) {
      const rest = line.slice(1).trimStart();
      if (rest === "" || rest.startsWith("#")) {
        advance();
        list.push(line !== "" && indent > listIndent ? readBlock(depth + 1) : "");
      } else {
        // The rest of the line opens a block of its own: "- name: x" continues on lines indented like "name".
        indent += line.length - rest.length;
        line = rest;
        list.push(readBlock(depth + 1));
      }
    }
    if (line !== "" && indent > listIndent) fail();
    return list;
  }

  function readMap(depth: number): LockYamlMap {
    const mapIndent = indent;
    const map = new Map<string, LockYaml>();
    while (indent === mapIndent && line !== "" && !isDocumentEnd()) {
      const isExplicit = line.startsWith("? ");
      const end = isExplicit ? line.length : keyEnd(line);
      if (end === -1 || isListItem(line)) {
        fail();
        break;
      }
      const key = readKey(isExplicit ? line.slice(2).trimStart() : line.slice(0, end).trimEnd());
      onKey?.(map, key, lineNumber);
      if (isExplicit) {
        // Yarn writes keys of more than 1,024 characters as "? key" with the value on the lines after ":".
        advance();
        if (indent !== mapIndent || !line.startsWith(":")) fail();
      }
      const size = map.size;
      map.set(key, readValue(isExplicit ? 0 : end, mapIndent, depth));
      if (map.size === size) fail();
    }
    if (line !== "" && indent > mapIndent) fail();
    return map;
  }

  const isDocumentEnd = (): boolean =>
    indent === 0 && (line === "---" || line === "..." || line.startsWith("--- "));

  /** The value after the colon at `colon` of the current line. */
  function readValue(colon: number, mapIndent: number, depth: number): LockYaml {
    let start = colon + 1;
    while (line.charCodeAt(start) === SPACE || line.charCodeAt(start) === TAB) start++;
    if (start < line.length && line.charCodeAt(start) !== HASH)
      return readInline(line.slice(start), mapIndent, depth);
    advance();
    if (line === "" || indent < mapIndent || isDocumentEnd()) return "";
    // Lists may have the indentation of the key they belong to.
    if (indent === mapIndent) return isListItem(line) ? readList(depth + 1) : "";
    return readBlock(depth + 1);
  }

  /** A value on the current line, and the lines of a block scalar. Moves to the next line. */
  function readInline(value: string, parentIndent: number, depth: number): LockYaml {
    const first = value[0];
    if (first === "|" || first === ">") return readBlockScalar(value, parentIndent);
    const read = first === "[" || first === "{" ? readFlow(value, depth) : readScalar(value);
    advance();
    return read ?? fail();
  }

  function readKey(text: string): string {
    const key = text === "<<" || text === "" ? null : readScalar(text);
    return key ?? fail();
  }

  function readBlockScalar(header: string, parentIndent: number): string {
    const [, style, indicators = ""] = /^([|>])([-+]?[1-9]?|[1-9][-+])(?:\s+#.*)?$/.exec(header) ?? [];
    if (style === undefined) return fail();
    const digit = /\d/.exec(indicators)?.[0];
    let contentIndent = digit === undefined ? -1 : Math.max(parentIndent, 0) + Number(digit);
    const lines: string[] = [];
    for (;;) {
      const before = { next, lineNumber };
      const raw = rawLine();
      if (raw === null) break;
      let spaces = 0;
      while (raw.charCodeAt(spaces) === SPACE) spaces++;
      if (spaces === raw.length) {
        lines.push(contentIndent === -1 ? "" : raw.slice(contentIndent));
        continue;
      }
      if (contentIndent === -1) contentIndent = spaces;
      if (spaces <= parentIndent || spaces < contentIndent) {
        ({ next, lineNumber } = before);
        break;
      }
      lines.push(raw.slice(contentIndent));
    }
    advance();
    return joinBlockScalar(lines, style === ">", indicators);
  }

  advance();
  let root: LockYaml = new Map<string, LockYaml>();
  while (line !== "") {
    if (indent !== 0) return null;
    if (line === "---" || line === "...") {
      advance();
      continue;
    }
    root = readBlock(0);
    if (!(root instanceof Map)) return null;
  }
  return isMalformed ? null : root;
}

const isListItem = (line: string): boolean =>
  line.charCodeAt(0) === 45 && (line.length === 1 || line.charCodeAt(1) === SPACE);

/** Offset of the colon that ends the key at the start of a line, or -1. */
function keyEnd(line: string): number {
  const first = line[0];
  if (first === '"' || first === "'") {
    const end = quotedEnd(line, 0);
    if (end === -1) return -1;
    let colon = end;
    while (line.charCodeAt(colon) === SPACE) colon++;
    return isColon(line, colon) ? colon : -1;
  }
  if (first === "{" || first === "[") return -1;
  for (let at = line.indexOf(":"); at !== -1; at = line.indexOf(":", at + 1)) {
    if (isColon(line, at)) return commentStart(line.slice(0, at)) === -1 ? at : -1;
  }
  return -1;
}

function isColon(line: string, at: number): boolean {
  if (line.charCodeAt(at) !== COLON) return false;
  const after = line.charCodeAt(at + 1);
  return Number.isNaN(after) || after === SPACE || after === TAB;
}

/** Offset after the closing quote, or -1. */
function quotedEnd(text: string, start: number): number {
  const quote = text[start];
  if (quote === undefined) return -1;
  for (let at = start + 1; ;) {
    const end = text.indexOf(quote, at);
    if (end === -1) return -1;
    if (quote === "'" && text[end + 1] === "'") at = end + 2;
    else if (quote === '"' && isEscaped(text, end)) at = end + 1;
    else return end + 1;
  }
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** A quoted or plain scalar that fills the text except for a comment; null when it is neither. */
function readScalar(text: string): string | null {
  const first = text[0];
  if (first === '"' || first === "'") {
    const end = quotedEnd(text, 0);
    if (end === -1 || (end < text.length && !/^\s+(?:#.*)?$/.test(text.slice(end)))) return null;
    return unquote(text.slice(0, end));
  }
  const comment = commentStart(text);
  const plain = comment === -1 ? text : text.slice(0, comment).trimEnd();
  return isPlain(plain) && keyEnd(plain) === -1 ? plain : null;
}

const commentStart = (text: string): number => (text.includes("#") ? text.search(/[ \t]#/) : -1);

const isPlain = (text: string): boolean => !/^(?:[,[\]{}#&*!|>'"%@`]|[-?:](?:\s|$))/.test(text);

function unquote(quoted: string): string | null {
  const body = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return body.includes("'") ? body.replaceAll("''", "'") : body;
  if (!body.includes("\\")) return body;
  // Lockfile writers use the escapes that JSON has too, and YAML's \x.
  try {
    const parsed: unknown = JSON.parse(quoted.replaceAll(/\\(.)/g, jsonEscape));
    return typeof parsed === "string" ? parsed : null;
  } catch {
    return null;
  }
}

const jsonEscape = (escape: string, kind: string): string => (kind === "x" ? "\\u00" : escape);

/** The end of a plain scalar inside of a flow map or list. */
const FLOW_STOP = /[,[\]{}]|:(?=[ \t,[\]{}]|$)/g;

/** A flow map or list that fills the text except for a comment; null when it is malformed. */
function readFlow(text: string, depth: number): LockYaml | null {
  let at = 0;

  function skipSpaces(): void {
    while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB) at++;
  }

  function readNode(level: number): LockYaml | null {
    if (level > MAX_DEPTH) return null;
    skipSpaces();
    const first = text[at];
    if (first === "[") return readItems(level);
    if (first === "{") return readPairs(level);
    const start = at;
    if (first === '"' || first === "'") {
      at = quotedEnd(text, at);
      if (at === -1) return null;
      return unquote(text.slice(start, at));
    }
    FLOW_STOP.lastIndex = at;
    at = FLOW_STOP.exec(text)?.index ?? text.length;
    const plain = text.slice(start, at).trimEnd();
    return plain !== "" && isPlain(plain) && commentStart(plain) === -1 ? plain : null;
  }

  function readItems(level: number): LockYaml | null {
    const list: LockYaml[] = [];
    for (at++, skipSpaces(); text[at] !== "]";) {
      const item = readNode(level + 1);
      if (item === null || !closes("]")) return null;
      list.push(item);
    }
    at++;
    return list;
  }

  function readPairs(level: number): LockYaml | null {
    const map = new Map<string, LockYaml>();
    for (at++, skipSpaces(); text[at] !== "}";) {
      const key = readNode(level + 1);
      skipSpaces();
      if (typeof key !== "string" || key === "<<" || map.has(key) || text[at] !== ":") return null;
      at++;
      const value = readNode(level + 1);
      if (value === null || !closes("}")) return null;
      map.set(key, value);
    }
    at++;
    return map;
  }

  /** Moves over a comma, or stays at the bracket. */
  function closes(bracket: string): boolean {
    skipSpaces();
    if (text[at] === ",") {
      at++;
      skipSpaces();
      return at < text.length;
    }
    return text[at] === bracket;
  }

  const value = readNode(depth);
  return value !== null && /^(?:\s+#.*|\s*)$/.test(text.slice(at)) ? value : null;
}

/** In a folded scalar, one break between two lines of text is a space. Indented lines keep their breaks. */
function joinBlockScalar(lines: readonly string[], isFolded: boolean, indicators: string): string {
  let joined = "";
  let empty = 0;
  let previous: string | null = null;
  for (const line of lines) {
    if (line === "") {
      empty++;
      continue;
    }
    const keepsBreak = !isFolded || /^\s/.test(line) || /^\s/.test(previous ?? "");
    if (previous === null) joined = "\n".repeat(empty);
    else if (keepsBreak) joined += "\n".repeat(empty + 1);
    else joined += empty === 0 ? " " : "\n".repeat(empty);
    joined += line;
    previous = line;
    empty = 0;
  }
  if (indicators.includes("-")) return joined;
  if (indicators.includes("+")) return joined + "\n".repeat(previous === null ? empty : empty + 1);
  return previous === null ? "" : `${joined}\n`;
}
