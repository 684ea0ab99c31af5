/** Splits Gradle scripts in Groovy and Kotlin into words, texts and marks. Comments are skipped. */
import { countNewlines } from "../../base/documents/line-index.ts";

export type GradleToken = {
  readonly kind: "word" | "text" | "mark" | "newline";
  /** The content of a text, the word or the character. */
  readonly value: string;
  /** 1-based. */
  readonly line: number;
};

const SKIPPED = /(?:[ \t\r\uFEFF]+|\/\/[^\n]*)*/y;
const WORD = /[A-Za-z_$`][\w.`]*|\d[\w.]*/y;

/** Null when a comment or a text over several lines has no end. */
export function tokenizeGradle(text: string): readonly GradleToken[] | null {
  const tokens: GradleToken[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    SKIPPED.lastIndex = at;
    SKIPPED.exec(text);
    at = Math.max(at, SKIPPED.lastIndex);
    const char = text[at];
    if (char === undefined) break;
    if (char === "\n") {
      tokens.push({ kind: "newline", value: "", line });
      line += 1;
      at += 1;
    } else if (char === '"' || char === "'" || text.startsWith("/*", at)) {
      const part = char === "/" ? readComment(text, at) : readText(text, at);
      if (part === null) return null;
      if (part.value !== null) tokens.push({ kind: "text", value: part.value, line });
      line += countNewlines(text, at, part.end);
      at = part.end;
    } else {
      WORD.lastIndex = at;
      const word = WORD.exec(text)?.[0];
      tokens.push(
        word === undefined
          ? { kind: "mark", value: char, line }
          : { kind: "word", value: word.replaceAll("`", ""), line },
      );
      at += word?.length ?? 1;
    }
  }
  return tokens;
}

type Part = { readonly value: string | null; readonly end: number };

function readComment(text: string, start: number): Part | null {
  const close = text.indexOf("*/", start + 2);
  return close === -1 ? null : { value: null, end: close + 2 };
}

/** A text without its own end on the line is an apostrophe in a regular expression, and ends there. */
function readText(text: string, start: number): Part | null {
  const quote = text[start] ?? "";
  const triple = quote.repeat(3);
  if (text.startsWith(triple, start)) {
    const close = text.indexOf(triple, start + 3);
    return close === -1 ? null : { value: text.slice(start + 3, close), end: close + 3 };
  }
  let at = start + 1;
  while (at < text.length && text[at] !== quote && text[at] !== "\n") {
    if (quote === '"' && text.startsWith("${", at)) at = endOfInterpolation(text, at + 2);
    else at += text[at] === "\\" ? 2 : 1;
  }
  const value = text.slice(start + 1, at);
  return text[at] === quote ? { value, end: at + 1 } : { value: null, end: Math.min(at, text.length) };
}

/** Behind the closing brace, or at the end of the line. */
function endOfInterpolation(text: string, start: number): number {
  let open = 1;
  let at = start;
  while (at < text.length && text[at] !== "\n" && open > 0) {
    if (text[at] === "{") open += 1;
    if (text[at] === "}") open -= 1;
    at += 1;
  }
  return at;
}
