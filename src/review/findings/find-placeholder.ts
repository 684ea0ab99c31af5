/**
 * Finds placeholders for code: `// ... existing code ...`, a bare `...`. Committing one would delete the code it represents.
 * An ellipsis that the replaced lines also have, or that has a meaning in its language, is code.
 */
import { languageOf } from "../../languages/language-of.ts";
import type { Anchor } from "./finding.ts";
import { indentationOf } from "./indentation.ts";

/** The beginning and the end of a comment, with or without code before it. Bounded, because models write any text. */
const OPENING = /(?:^|\s)(?:\/{2,4}|#{1,4}|--|;{1,4}|%{1,4}|\{?\/\*{1,3}|<!--)(?!\S{0,60}[=:;])/;
const CLOSING = /(?:\*\/\}?|-->)$/;

/** Placeholder comments are short. */
const MAX_COMMENT_CHARS = 120;

const DOTS = String.raw`(?:\.{3,}|\u2026)`;
const BARE = new RegExp(String.raw`^(?:${DOTS}|[[({<]\s*${DOTS}\s*[\])}>])[,;]?$`);
const LEADING_DOTS = new RegExp(String.raw`^[[({<]?\s*${DOTS}`);
const TRAILING_DOTS = new RegExp(String.raw`${DOTS}[\])}>]?$`);
const EDGES = /^[[({<\s.…]+|[\])}>\s.:…]+$/g;

const CODE = String.raw`(?:code|implementation|logic|body|function|method|class|file|component|module|script|block)`;
const PARTS = String.raw`(?:methods|functions|imports|fields|properties|props|tests|cases|lines|statements|attributes|options|rules|styles|elements|content|parameters|arguments|items|entries)`;
const STAYS = String.raw`(?:(?:is |are |stays? |remains? |left )?(?:unchanged|the same|as (?:is|before|it was)|untouched)|omitted|continues?(?: here| as before| below)?|goes here|here)`;

const WHOLE_COMMENT = /^\s*(?:\/\/|#|--|;|%|\{?\/\*|<!--|\*)/;
const LEFT_OUT = /\b(?:unchanged|existing|rest|remaining|other|omitted|same|more|code)\b/i;

/** The wording of such comments, without their dots and brackets. */
const PHRASES = [
  `(?:the )?(?:rest|remainder) of (?:the |your |this )?(?:\\w+ )?${CODE}(?: ${STAYS})?`,
  `(?:the )?(?:rest|remainder)(?: of (?:the |your |this )?(?:\\w+ ?){1,3})? ${STAYS}`,
  `(?:the |your )?(?:remaining|existing|previous|original|other|current|same) (?:\\w+ )?${CODE}(?: ${STAYS})?`,
  `(?:the |your )?(?:remaining|existing|previous|original|other|current|same) (?:\\w+ )?(?:${PARTS}|${CODE}) ${STAYS}`,
  `(?:everything else |all else |code )?(?:${STAYS.replace("|goes here|here", "")}|no changes?(?: here)?)`,
  `(?:same|unchanged) (?:as )?(?:before|above|existing|code)`,
  `.*\\b(?:omitted|elided|truncated|removed|skipped|left out|shortened) for (?:brevity|clarity)\\b.*`,
  `(?:snip|snipped|etc)`,
  `(?:your|insert|add|put) (?:your |the )?(?:${CODE}|existing \\w+) (?:goes )?here`,
  `${CODE} (?:goes )?here`,
  `(?:keep|leave) (?:the |your )?(?:rest|existing|remaining|other)\\b.*`,
].map((phrase) => new RegExp(`^${phrase}$`, "i"));

type Surroundings = {
  /** The line with the dots. */
  readonly own: string;
  /** Indentation of the line with the dots. */
  readonly indent: string;
  readonly above: readonly string[];
  readonly below: readonly string[];
  /** The replaced lines. */
  readonly current: readonly string[];
};

/** The number of the first such line, from 1; null when there is none. */
export function findPlaceholder(
  replacement: readonly string[],
  { path, lines: current, startLine, endLine }: Anchor,
  file: readonly string[],
): number | null {
  const language = languageOf(path);
  const known = new Set(current.map((line) => line.trim()));
  const found = replacement.findIndex((line, index) => {
    // In a multi-line comment, dots are part of an example.
    if (known.has(line.trim()) || line.trim().startsWith("*")) return false;
    const above = [...file.slice(0, startLine - 1), ...replacement.slice(0, index)];
    const below = [...replacement.slice(index + 1), ...file.slice(endLine)];
    if (BARE.test(line.trim()))
      return !hasMeaning(language, { own: line, indent: indentationOf([line]), above, below, current });
    if (elidesArguments(line, language, current)) return true;
    const comment = commentOf(line);
    return comment !== null && isCodePlaceholder(comment, above.at(-1) ?? "");
  });
  return found === -1 ? null : found + 1;
}

/** The text of the comment at the end of a line; null when there is none, or a long one. */
function commentOf(line: string): string | null {
  const opening = OPENING.exec(line);
  if (opening === null) return null;
  const comment = line
    .slice(opening.index + opening[0].length)
    .trim()
    .replace(CLOSING, "")
    .trim();
  return comment === "" || comment.length > MAX_COMMENT_CHARS ? null : comment;
}

function isCodePlaceholder(comment: string, previous: string): boolean {
  if (BARE.test(comment)) return true;
  const words = comment.replace(EDGES, "");
  if (PHRASES.some((phrase) => phrase.test(words))) return true;
  if (!LEADING_DOTS.test(comment)) return false;
  // A comment that continues the line above may begin with dots.
  return TRAILING_DOTS.test(comment) || LEFT_OUT.test(words) || !WHOLE_COMMENT.test(previous);
}

/** `...` as the body of a stub or as a value in Python, as the last parameter in C. */
function hasMeaning(language: string, { own, indent, above, below, current }: Surroundings): boolean {
  const previous = above.findLast((line) => line.trim() !== "")?.trim() ?? "";
  const next = below.find((line) => line.trim() !== "") ?? "";
  if (language === "c" || language === "cpp") return /[,(]$/.test(previous) && next.trim().startsWith(")");
  if (language !== "python") return false;
  if (isInDocstring(above)) return true;
  if (/[,([{]$/.test(previous)) return isElement(own, next) && isEllipsisArgument(above, previous);
  const isWholeBody = next === "" || indentationOf([next]).length < indent.length;
  return isWholeBody && /(?::|"""|''')(?:\s*#.*)?$/.test(previous) && current.every(isTrivial);
}

/** True when a comma or a bracket follows: without, the dots stand for what the next line continues. */
function isElement(line: string, next: string): boolean {
  return line.trim().endsWith(",") || /^\s*[)\]}]/.test(next);
}

/** Brackets are searched this far above. */
const MAX_BRACKET_LINES = 100;

/** `Field(` takes an ellipsis first, and `tuple[` and arrays take one anywhere. In a list or a later argument it stands for something. */
function isEllipsisArgument(above: readonly string[], previous: string): boolean {
  let depth = 0;
  for (const line of above.slice(-MAX_BRACKET_LINES).toReversed()) {
    const text = line.replaceAll(/"[^"]*"|'[^']*'/g, "").replace(/#.*$/, "");
    for (let at = text.length - 1; at >= 0; at--) {
      const char = text[at] ?? "";
      if (")]}".includes(char)) depth++;
      else if ("([{".includes(char) && --depth < 0) {
        const isAfterName = /[\w\])]$/.test(text.slice(0, at));
        return isAfterName && (char === "[" || (char === "(" && previous.endsWith("(")));
      }
    }
  }
  return false;
}

function isInDocstring(above: readonly string[]): boolean {
  return above.join("\n").split(/"""|'''/).length % 2 === 0;
}

/** Lines that a stub may replace without losing anything. */
function isTrivial(line: string): boolean {
  return /^\s*(?:$|pass\b|\.\.\.|raise NotImplementedError|#|@|(?:async )?def |class |\)|["']{3}|return NotImplemented)/.test(
    line,
  );
}

/** `call(...)` where the replaced lines have real arguments. Valid in Python and PHP, but a placeholder here. */
function elidesArguments(line: string, language: string, current: readonly string[]): boolean {
  if (language !== "python" && language !== "php") return false;
  return [...line.matchAll(/(\w+)\((?:\.{3}|…)\)/g)].some(([call, name]) => {
    const text = current.join("\n");
    return !text.includes(call) && text.includes(`${name}(`);
  });
}
