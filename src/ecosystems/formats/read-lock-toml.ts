/**
 * Reads the TOML that package managers write into lockfiles, several times faster than a general parser: tables, one key per line,
 * strings, numbers, booleans, arrays and inline tables. Everything else goes to smol-toml, so the result never depends on which of
 * the two read the file.
 */
import { parse } from "smol-toml";
import { type JsonTable, tableOf, textOf } from "../../base/documents/json-file.ts";

type Table = { [key: string]: unknown };

/** Thrown inside this file only: the text isn't of the plain kind. */
const NOT_PLAIN = new Error("not plain TOML");

/**
 * Null when the text isn't valid TOML. The arrays of `artifactKeys` (the downloadable files of a package, most of the bytes of a
 * Python lockfile) are returned as their hashes and names only: ["sha256:…?file"].
 */
export function readLockToml(text: string, artifactKeys: readonly string[] = []): JsonTable | null {
  try {
    return readPlain(text, artifactKeys);
  } catch {
    // Not plain, or nested too deeply for the stack.
  }
  try {
    const root = parse(text);
    replaceArtifacts(root, new Set(artifactKeys));
    return root;
  } catch {
    return null;
  }
}

/** The hash of a file with its name, from the table that has both. None when it has no hash. */
export function hashesOfFiles(files: readonly unknown[]): readonly string[] {
  return files.flatMap((file) => {
    const table = tableOf(file);
    const hash = textOf(table?.["hash"]);
    return hash === null ? [] : [hashOfFile(hash, textOf(table?.["file"]) ?? textOf(table?.["url"]) ?? "")];
  });
}

function hashOfFile(hash: string, name: string): string {
  return name === "" ? hash : `${hash}?${name.slice(name.lastIndexOf("/") + 1)}`;
}

function replaceArtifacts(table: Table, keys: ReadonlySet<string>): void {
  for (const [key, value] of Object.entries(table)) {
    if (Array.isArray(value)) {
      if (keys.has(key)) table[key] = hashesOfFiles(value);
      else for (const item of value) if (tableOf(item) !== null) replaceArtifacts(item as Table, keys);
    } else if (tableOf(value) !== null) replaceArtifacts(value as Table, keys);
  }
}

const HEADER = /(\[\[?)([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)(\]\]?)[ \t]*(?:\r?\n|$)/y;
const KEY = /(?:([A-Za-z0-9_-]+)|"([^"\\\n]*)")[ \t]*=[ \t]*/y;
const BARE_EQUALS = " = ";
const BARE_KEY = /[A-Za-z0-9_-]+ = (?![ \t])/y;
/** Ends a line after a value: a comment may follow. */
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const BLANK = /(?:[ \t]*(?:#[^\n]*)?\r?\n)+|[ \t]*(?:#[^\n]*)?$/y;
const GAP = /(?:[ \t\r\n]+|#[^\n]*)+/y;
const SPACES = /[ \t]+/y;
const ESCAPED_STRING = /"(?:[^"\\\n\r\t]|\\["\\bfnrt]|\\u(?!d[89a-f])[0-9a-f]{4})*"/iy;
const LITERAL_STRING = /'([^'\n\r\t]*)'/y;
const INTEGER = /(?:0|[1-9][0-9]{0,14})(?![0-9_.eE:xob-])/y;
const WORD = /(?:true|false)\b/y;
/** One file of a package, as poetry, PDM and uv write them, up to its name and behind its hash. */
const ARTIFACT_START = / {4}\{ ?(?:file|url) = "/y;
const ARTIFACT_HASH = ', hash = "';
const ARTIFACT_END = /(?:, (?:size|upload-time) = (?:"[^"\\\n]*"|[0-9]{1,15}))* ?\},\n/y;
const ARTIFACTS_START = /\[\n/y;

/** All parts of the reader are inside, because they share its place in the text. */
function readPlain(text: string, artifactKeys: readonly string[]): JsonTable {
  // Strings over several lines could hold lines that look like tables.
  if (text.includes('"""') || text.includes("'''")) throw NOT_PLAIN;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const root: Table = {};
  let table = root;
  let nextBackslash = -1;
  let nextLine = -1;

  /** The match at the current offset, which moves behind it. */
  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  }

  /** Whether the pattern is at the current offset, which moves behind it. */
  function has(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    const isThere = pattern.test(text);
    if (isThere) at = pattern.lastIndex;
    return isThere;
  }

  /** Whether there is neither an escape nor a line end before an offset. */
  function isPlainUntil(offset: number): boolean {
    if (nextBackslash < at) nextBackslash = indexOrEnd("\\");
    if (nextLine < at) nextLine = indexOrEnd("\n");
    return offset !== -1 && offset < nextBackslash && offset < nextLine;
  }

  function indexOrEnd(searched: string): number {
    const index = text.indexOf(searched, at);
    return index === -1 ? text.length : index;
  }

  function takeValue(): unknown {
    switch (text[at]) {
      case '"':
        return takeString();
      case "'": {
        const value = take(LITERAL_STRING)?.[1];
        if (value === undefined) throw NOT_PLAIN;
        return value;
      }
      case "[":
        return takeArray();
      case "{":
        return takeInlineTable();
      case "t":
      case "f": {
        const word = take(WORD)?.[0];
        if (word === undefined) throw NOT_PLAIN;
        return word === "true";
      }
      default: {
        const digits = take(INTEGER)?.[0];
        if (digits === undefined) throw NOT_PLAIN;
        return Number(digits);
      }
    }
  }

  function takeString(): string {
    const end = text.indexOf('"', at + 1);
    if (isPlainUntil(end)) {
      const plain = text.slice(at + 1, end);
      at = end + 1;
      return plain;
    }
    // These escapes mean the same in JSON.
    const escaped = take(ESCAPED_STRING)?.[0];
    if (escaped === undefined) throw NOT_PLAIN;
    return JSON.parse(escaped) as string;
  }

  function takeArray(): readonly unknown[] {
    at += 1;
    const items: unknown[] = [];
    for (;;) {
      has(GAP);
      if (text[at] === "]") break;
      items.push(takeValue());
      has(GAP);
      if (text[at] === ",") at += 1;
      else if (text[at] !== "]") throw NOT_PLAIN;
    }
    at += 1;
    return items;
  }

  function takeInlineTable(): Table {
    at += 1;
    const result: Table = {};
    has(SPACES);
    if (text[at] !== "}") {
      for (;;) {
        setNew(result, takeKey(), takeValue());
        has(SPACES);
        if (text[at] === "}") break;
        if (text[at] !== ",") throw NOT_PLAIN;
        at += 1;
        has(SPACES);
      }
    }
    at += 1;
    return result;
  }

  function takeKey(): string {
    const start = at;
    // The usual spelling is read without the parts of a match, which cost more than the rest.
    if (has(BARE_KEY)) return text.slice(start, at - BARE_EQUALS.length);
    const match = take(KEY);
    const key = match?.[1] ?? match?.[2];
    if (key === undefined) throw NOT_PLAIN;
    return key;
  }

  /** Moves behind one file of a package and returns its hash; null when it isn't written as usual. */
  function takeArtifact(): string | null {
    if (!has(ARTIFACT_START)) return null;
    const nameStart = at;
    const nameEnd = text.indexOf('"', at);
    if (nameEnd === -1 || !text.startsWith(ARTIFACT_HASH, nameEnd + 1)) return null;
    const hashStart = nameEnd + 1 + ARTIFACT_HASH.length;
    const hashEnd = text.indexOf('"', hashStart);
    if (!isPlainUntil(hashEnd)) return null;
    at = hashEnd + 1;
    if (!has(ARTIFACT_END)) return null;
    return hashOfFile(text.slice(hashStart, hashEnd), text.slice(nameStart, nameEnd));
  }

  function takeArtifacts(): readonly string[] {
    const start = at;
    const hashes: string[] = [];
    let isUsual = has(ARTIFACTS_START);
    while (isUsual && text[at] !== "]") {
      const hash = takeArtifact();
      if (hash === null) isUsual = false;
      else hashes.push(hash);
    }
    if (isUsual) {
      at += 1;
      return hashes;
    }
    at = start;
    return hashesOfFiles(takeArray());
  }

  while (at < text.length) {
    const first = text[at];
    if (first === "[") table = takeHeader(root, take(HEADER), artifactKeys);
    else if (first === "\n" || first === "#" || first === "\r" || first === " ") {
      if (!has(BLANK)) throw NOT_PLAIN;
    } else {
      const key = takeKey();
      const value = artifactKeys.includes(key) && text[at] === "[" ? takeArtifacts() : takeValue();
      setNew(table, key, value);
      if (text[at] === "\n") at += 1;
      else if (!has(LINE_END)) throw NOT_PLAIN;
    }
  }
  return root;
}

/** The table that a header opens. */
function takeHeader(root: Table, header: RegExpExecArray | null, artifactKeys: readonly string[]): Table {
  if (header === null || header[1]?.length !== header[3]?.length) throw NOT_PLAIN;
  const keys = header[2]?.split(".") ?? [];
  const last = keys.pop() ?? "";
  // Files that are tables of their own.
  if (artifactKeys.includes(last) && header[1] === "[[") throw NOT_PLAIN;
  let parent = root;
  for (const key of keys) {
    if (!Object.hasOwn(parent, key)) setNew(parent, key, {});
    const next = parent[key];
    const inner = tableOf(Array.isArray(next) ? next.at(-1) : next);
    if (inner === null) throw NOT_PLAIN;
    parent = inner;
  }
  const opened: Table = {};
  if (header[1] === "[") setNew(parent, last, opened);
  else {
    if (!Object.hasOwn(parent, last)) setNew(parent, last, []);
    const list = parent[last];
    if (!Array.isArray(list)) throw NOT_PLAIN;
    list.push(opened);
  }
  return opened;
}

/** A key that is there twice is invalid, and smol-toml decides about it. */
function setNew(table: Table, key: string, value: unknown): void {
  if (key === "__proto__" || Object.hasOwn(table, key)) throw NOT_PLAIN;
  table[key] = value;
}
