/** Blanks the comments and here-documents of Elixir code, with every offset and line end kept. Strings stay. */
const blank = (text: string): string => text.replace(/[^\n]/g, " ");

/** Null when a string or here-document has no end. */
export function maskElixir(text: string): string | null {
  let result = "";
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === "#") {
      const end = endAt(text, "\n", at);
      result += blank(text.slice(at, end));
      at = end;
    } else if (text.startsWith('"""', at) || text.startsWith("'''", at)) {
      const close = text.indexOf(text.slice(at, at + 3), at + 3);
      if (close === -1) return null;
      result += blank(text.slice(at, close + 3));
      at = close + 3;
    } else if (char === '"' || (char === "'" && !/\w/.test(text[at - 1] ?? ""))) {
      const end = endOfString(text, at);
      if (end === null) return null;
      result += text.slice(at, end);
      at = end;
    } else if (char === "?" && !/\w/.test(text[at - 1] ?? "")) {
      // A character literal such as `?"`.
      const length = text[at + 1] === "\\" ? 3 : 2;
      result += blank(text.slice(at, at + length));
      at += length;
    } else {
      const next = text.slice(at + 1).search(/[#"'?]/);
      const end = next === -1 ? text.length : at + 1 + next;
      result += text.slice(at, end);
      at = end;
    }
  }
  return result;
}

function endAt(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
}

/** Interpolations may contain further strings; deeper ones than this don't occur. */
const MAX_INTERPOLATIONS = 10;

function endOfString(text: string, start: number, depth = 0): number | null {
  const quote = text[start];
  let at = start + 1;
  while (at < text.length && text[at] !== quote) {
    if (text[at] === "#" && text[at + 1] === "{" && depth < MAX_INTERPOLATIONS)
      at = endOfInterpolation(text, at + 2, depth + 1);
    else at += text[at] === "\\" ? 2 : 1;
  }
  return at < text.length ? at + 1 : null;
}

function endOfInterpolation(text: string, start: number, depth: number): number {
  let open = 1;
  let at = start;
  while (at < text.length && open > 0) {
    if (text[at] === '"') {
      at = endOfString(text, at, depth) ?? text.length;
      continue;
    }
    if (text[at] === "{") open += 1;
    if (text[at] === "}") open -= 1;
    at += 1;
  }
  return at;
}
