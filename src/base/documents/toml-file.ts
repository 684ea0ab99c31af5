/** TOML that people write, as values that are checked before use, and the lines of its keys. */
import { parse } from "smol-toml";
import type { JsonTable } from "./json-file.ts";

/** Null for a text that isn't TOML. */
export function parseToml(text: string): JsonTable | null {
  try {
    return parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return null;
  }
}

export type TomlLines = {
  /**
   * 1-based line of a key or table, of the closest table around it when it's written inline, 0 when there is none. With `item`: the
   * line of that string in the array at the path.
   */
  readonly lineOf: (path: readonly string[], item?: string) => number;
};

const TOKEN = /"""[\s\S]*?"""|'''[\s\S]*?'''|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|#[^\n]*|[[\]{}\n]/g;
const HEADER_START = /[ \t]*\[\[?/y;
const KEY_PART = /[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*([.=\]])?/y;

/** A table or a key, and those below it. A path that is written out for each of its parts would take quadratic time. */
type Place = {
  readonly line: number;
  readonly below: Map<string, Place>;
  /** Lines of the strings of its array. */
  readonly items: Map<string, number>;
};

const placeAt = (line: number): Place => ({ line, below: new Map(), items: new Map() });

/** Reads the lines of a text that is valid TOML. */
export function readTomlLines(text: string): TomlLines {
  const root = placeAt(0);
  let header = root;
  let current = root;
  let line = 1;
  let depth = 0;

  function startLine(offset: number): void {
    HEADER_START.lastIndex = offset;
    const isHeader = HEADER_START.test(text);
    const key = readKey(text, isHeader ? HEADER_START.lastIndex : offset);
    if (key === null) return;
    current = isHeader ? root : header;
    for (const part of key) {
      const next = current.below.get(part) ?? placeAt(line);
      current.below.set(part, next);
      current = next;
    }
    if (isHeader) header = current;
  }

  startLine(0);
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    if (token === "\n") {
      line += 1;
      if (depth === 0) startLine(match.index + 1);
    } else if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth = Math.max(0, depth - 1);
    else if (token.startsWith('"""') || token.startsWith("'''")) line += token.split("\n").length - 1;
    else if (depth > 0 && !token.startsWith("#")) {
      const item = match[1] === undefined ? (match[2] ?? "") : unescapeBasic(match[1]);
      if (!current.items.has(item)) current.items.set(item, line);
    }
  }
  return {
    lineOf(path, item) {
      let place = root;
      for (const [at, part] of path.entries()) {
        const next = place.below.get(part);
        if (next === undefined) break;
        place = next;
        const isLast = at === path.length - 1;
        if (isLast && item !== undefined) return place.items.get(item) ?? place.line;
      }
      return place.line;
    },
  };
}

/** The parts of the key at an offset; null when there is none. */
function readKey(text: string, offset: number): readonly string[] | null {
  const parts: string[] = [];
  KEY_PART.lastIndex = offset;
  for (;;) {
    const match = KEY_PART.exec(text);
    if (match === null) return null;
    parts.push(match[1] === undefined ? (match[2] ?? match[3] ?? "") : unescapeBasic(match[1]));
    if (match[4] !== ".") return match[4] === undefined ? null : parts;
  }
}

function unescapeBasic(text: string): string {
  return text.replace(/\\(["\\])/g, "$1");
}
