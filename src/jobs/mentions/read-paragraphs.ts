/**
 * Reads the blocks of a comment line by line, by the rules of CommonMark, and returns its paragraphs. Quotes, headings, code blocks and
 * blocks of HTML that hold no prose are left out. Pure, and linear in the length of the comment.
 */

import { closesFence, CODE_INDENT, type Indent, readIndent, openingMarks } from "../../base/markdown.ts";

/** Offsets are in the lines joined by "\n". */
export type Paragraph = {
  readonly start: number;
  readonly end: number;
  /** Its lines that may be prose: all but those with the indent of code. `column` is where their text starts. */
  readonly lineStarts: readonly LineStart[];
};

type LineStart = { readonly line: number; readonly offset: number; readonly column: number };

/** An open code block. One in a list item ends with the item, at a line with a smaller indent. */
type Fence = { readonly marks: string; readonly itemColumn: number };

type Block =
  | { readonly kind: "fence"; readonly marks: string }
  /** Ends at a line that matches `end`, which may be the same. */
  | { readonly kind: "html"; readonly end: RegExp }
  /** A heading, or a line below or between paragraphs. */
  | { readonly kind: "break" };

const HTML_BLOCKS: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^<!--/, /-->/],
  [/^<(?:pre|script|style|textarea)(?=[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
];

const THEMATIC_BREAK = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/;

const HEADING = /^#{1,6}(?:[ \t]|$)/;

/** Makes the paragraph above it a heading. */
const UNDERLINE = /^(?:=+|-+)[ \t]*$/;

/** Stops at the end of the paragraph with the line `last`. `lineCount` lines were read. */
export function readParagraphs(
  lines: readonly string[],
  last: number,
): { readonly paragraphs: readonly Paragraph[]; readonly lineCount: number } {
  const paragraphs: Paragraph[] = [];
  let open: { start: number; end: number; lineStarts: LineStart[] } | null = null;
  /** The columns where the text of the open list items starts. */
  let items: readonly number[] = [];
  let fence: Fence | null = null;
  let htmlEnd: RegExp | null = null;
  /** Text directly below a quote continues it. */
  let isBelowQuote = false;
  /** The line above has a marker of a list item alone. A blank line ends such an item. */
  let isItemEmpty = false;
  let next = 0;
  let line = 0;
  for (; line < lines.length && (line <= last || open !== null); line++) {
    const text = lines[line] ?? "";
    const offset = next;
    next += text.length + 1;
    if (htmlEnd !== null) {
      if (htmlEnd.test(text)) htmlEnd = null;
      continue;
    }
    const indent = readIndent(text);
    const isBlank = indent.index === text.length;
    if (fence !== null && (isBlank || indent.column >= fence.itemColumn)) {
      if (isClosing(fence, text, indent)) fence = null;
      continue;
    }
    fence = null;
    if (isBlank) {
      if (isItemEmpty) items = items.slice(0, -1);
      isItemEmpty = false;
      open = null;
      isBelowQuote = false;
      continue;
    }
    const mayContinue = open !== null || isBelowQuote;
    const entered = enterItems(text, indent, items, open !== null);
    const itemColumn = entered.items.at(-1) ?? 0;
    const isIndented = entered.indent.column - itemColumn >= CODE_INDENT;
    const rest = text.slice(entered.indent.index);
    isItemEmpty = rest === "";
    const isQuote = !isIndented && rest.startsWith(">");
    const isUnderlined = open !== null && entered.items.length === items.length;
    const block = isIndented ? null : readBlock(rest, isUnderlined);
    // Text that lazily continues a paragraph doesn't end the list items that the paragraph is in.
    if (!mayContinue || isQuote || block !== null || entered.isNew) items = entered.items;
    if (isQuote || block !== null || entered.isNew) {
      open = null;
      isBelowQuote = isQuote;
    }
    if (block?.kind === "fence") fence = { marks: block.marks, itemColumn };
    if (block?.kind === "html") htmlEnd = block.end.test(rest.slice(2)) ? null : block.end;
    if (block !== null || isQuote || rest === "" || isBelowQuote || (isIndented && open === null)) continue;
    if (open === null) {
      open = { start: offset + entered.indent.index, end: 0, lineStarts: [] };
      paragraphs.push(open);
    }
    open.end = offset + text.length;
    if (!isIndented) open.lineStarts.push({ line, offset, column: entered.indent.index });
  }
  return { paragraphs, lineCount: line };
}

/** More items than these in one line make no difference to prose: it is in a list already. */
const MAX_NESTING = 8;

const MARKER_STARTS: ReadonlySet<string> = new Set("-+*0123456789");

/** A marker of a list item, with the number of an ordered one. */
const MARKER = /(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/y;

/** Where the text of a line starts, and the items that it is in. `isNew` if it starts one. */
type Entered = { readonly indent: Indent; readonly items: readonly number[]; readonly isNew: boolean };

/** Leaves the items that a line isn't in, and enters those that it starts. */
function enterItems(text: string, indent: Indent, outer: readonly number[], isBelowText: boolean): Entered {
  const items = outer.filter((column) => column <= indent.column);
  const mayContinue = isBelowText && items.length === outer.length;
  let inner = indent;
  let isNew = false;
  for (let depth = 0; depth < MAX_NESTING && inner.column - (items.at(-1) ?? 0) < CODE_INDENT; depth++) {
    // The pattern alone would be slower, because most lines start with a letter.
    if (!MARKER_STARTS.has(text[inner.index] ?? "")) break;
    MARKER.lastIndex = inner.index;
    const marker = MARKER.exec(text);
    if (marker === null) break;
    if (isSpacedBreak(text, inner.index)) break;
    const after = { index: MARKER.lastIndex, column: inner.column + marker[0].length };
    const content = readIndent(text, after);
    const isEmpty = content.index === text.length;
    // Such a line continues a paragraph.
    if (mayContinue && !isNew && (isEmpty || (marker[1] !== undefined && marker[1] !== "1"))) break;
    const isCode = content.column - after.column > CODE_INDENT;
    items.push(isEmpty || isCode ? after.column + 1 : content.column);
    inner = content;
    isNew = true;
  }
  return { indent: inner, items, isNew };
}

/** "- - -" is no list. Longer lines of that kind are, which makes no difference to prose. */
const MAX_BREAK_CHARS = 100;

function isSpacedBreak(text: string, from: number): boolean {
  return text.length - from <= MAX_BREAK_CHARS && THEMATIC_BREAK.test(text.slice(from));
}

/** `isUnderlined` if the line may make the paragraph above it a heading. */
function readBlock(rest: string, isUnderlined: boolean): Block | null {
  switch (rest[0]) {
    case "`":
    case "~": {
      const marks = openingMarks(rest);
      return marks === null ? null : { kind: "fence", marks };
    }
    case "<": {
      const end = HTML_BLOCKS.find(([start]) => start.test(rest))?.[1];
      return end === undefined ? null : { kind: "html", end };
    }
    case "#":
      return HEADING.test(rest) ? { kind: "break" } : null;
    case "=":
    case "-":
    case "*":
    case "_":
      return THEMATIC_BREAK.test(rest) || (isUnderlined && UNDERLINE.test(rest)) ? { kind: "break" } : null;
    default:
      return null;
  }
}

function isClosing({ marks, itemColumn }: Fence, text: string, { index, column }: Indent): boolean {
  return column - itemColumn < CODE_INDENT && closesFence(marks, text.slice(index));
}
