/** Brings two spellings of the same declaration to one text: comments, spaces, quotes and trailing separators don't count. */

/** Longer declarations are cut, on both sides at the same place. */
const MAX_CHARS = 20_000;

const WORD = /[\w$#@]/;
const CLOSES = new Set([")", "]", "}", ">"]);

/** Reads the text once, from left to right. */
export function normalizeCode(text: string, options: { readonly hashComments?: boolean } = {}): string {
  let out = "";
  let isSpaced = false;
  const emit = (piece: string): void => {
    const last = out.at(-1) ?? "";
    if (isSpaced && WORD.test(last) && WORD.test(piece[0] ?? "")) out += " ";
    isSpaced = false;
    if (CLOSES.has(piece)) while (out.endsWith(",") || out.endsWith(";")) out = out.slice(0, -1);
    out += piece;
  };
  for (let at = 0; at < text.length && out.length < MAX_CHARS;) {
    const char = text[at] ?? "";
    const isLineComment = options.hashComments === true ? char === "#" : char === "/" && text[at + 1] === "/";
    if (isLineComment) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    } else if (options.hashComments !== true && char === "/" && text[at + 1] === "*") {
      const end = text.indexOf("*/", at + 2);
      at = end < 0 ? text.length : end + 2;
      isSpaced = true;
    } else if (char === '"' || char === "'" || char === "`") {
      const end = endOfString(text, at);
      emit(char === "'" ? `"${text.slice(at + 1, end - 1)}"` : text.slice(at, end));
      at = end;
    } else if (/\s/.test(char)) {
      isSpaced = true;
      at++;
    } else {
      // A union may start with a separator when it has one part per line.
      const startsUnion = char === "|" && /[=(:<,|&[]$/.test(out) && !out.endsWith("||");
      if (!startsUnion) emit(char);
      at++;
    }
  }
  return out.replace(/[;,]+$/, "");
}

function endOfString(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === quote) return at + 1;
    else if (text[at] === "\n" && quote !== "`") return at;
  }
  return text.length;
}
