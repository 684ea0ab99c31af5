/** JSON files as values that are checked before use, and the lines of their keys. */
export type JsonTable = { readonly [key: string]: unknown };

/** Null for a text that isn't a JSON object. */
export function parseJsonObject(text: string): JsonTable | null {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return tableOf(value);
  } catch {
    return null;
  }
}

export function tableOf(value: unknown): JsonTable | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonTable) : null;
}

/** The value that keys lead to, from table to table; undefined when one of them has no such key. */
export function valueAt(root: JsonTable, path: readonly string[]): unknown {
  let value: unknown = root;
  for (const key of path) {
    const table = tableOf(value);
    if (table === null || !Object.hasOwn(table, key)) return undefined;
    value = table[key];
  }
  return value;
}

/** None for a value that isn't a list. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Own entries whose value is a text. */
export function textEntries(value: unknown): readonly (readonly [string, string])[] {
  return Object.entries(tableOf(value) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * 1-based lines of the keys of a valid JSON text's sections: `linesOfKeys(text).get("require")?.get("a/b")`. Only the keys of
 * objects directly inside the root object are there.
 */
export function linesOfKeys(text: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const sections = new Map<string, Map<string, number>>();
  visitKeys(text, 2, ([section = "", key], line) => {
    if (key === undefined) sections.set(section, new Map());
    else sections.get(section)?.set(key, line);
  });
  return sections;
}

/**
 * Visits the keys of a valid JSON text with at most `maxDepth` parts: the keys of the objects around each, its own, and its 1-based
 * line. Lists count as a key "". Paths of all keys would take quadratic time in a deeply nested text.
 */
export function visitKeys(
  text: string,
  maxDepth: number,
  visit: (path: readonly string[], line: number) => void,
): void {
  const path: string[] = [];
  let line = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\n") line += 1;
    else if (char === "{") depth += 1;
    else if (char === "[") path[depth++] = "";
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === '"') {
      const start = at;
      at = endOfString(text, at);
      if (depth > maxDepth || !isKey(text, at + 1)) continue;
      path.length = depth;
      path[depth - 1] = unquote(text.slice(start, at + 1));
      visit(path, line);
    }
  }
}

/** Where the closing quote is. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function isKey(text: string, after: number): boolean {
  let at = after;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\n" || text[at] === "\r") at += 1;
  return text[at] === ":";
}

function unquote(token: string): string {
  return token.includes("\\") ? String(JSON.parse(token)) : token.slice(1, -1);
}
