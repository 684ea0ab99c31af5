/**
 * Text layout in columns: measures, cuts and wraps. All output is safe to print; control characters of the input become
 * visible escapes.
 */
import type { Paint } from "./ansi.ts";
import { createFenceReader } from "../../../base/markdown.ts";
import { printable } from "../../../base/printable.ts";

/** A longer body is hard to read in a terminal; the JSON output has the whole text. */
const MAX_BODY_CHARS = 4_000;

const COMBINING = /^\p{M}$/u;

/** East Asian wide and fullwidth characters and pictographs take two columns. */
const WIDE_RANGES: readonly (readonly [number, number])[] = [
  [0x1100, 0x115e],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f9ff],
  [0x20000, 0x3fffd],
];

function charWidth(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  // Latin, and the characters that Kodiai draws with: lines, boxes and the ellipsis.
  if (code < 0x300 || code === 0x2026 || (code >= 0x2500 && code <= 0x257f)) return 1;
  if (COMBINING.test(char)) return 0;
  return WIDE_RANGES.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** Width in columns; the text must not contain control characters. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** At most `width` columns, with an ellipsis if the text was cut. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const char of text) {
    used += charWidth(char);
    if (used > width - 1) break;
    kept += char;
  }
  return `${kept}…`;
}

/** One paragraph in lines of at most `width` columns; a longer word isn't split, so that it can be copied. */
export function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of printable(text).split(" ")) {
    if (word === "") continue;
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  if (line !== "") lines.push(line);
  return lines;
}

const LIST_ITEM = /^ {0,6}(?:[-*+]|\d{1,3}[.)]) /;

/** Wraps Markdown prose: paragraphs and list items flow, fenced code is kept line by line. */
export function wrapProse(text: string, width: number): string[] {
  const lines: string[] = [];
  let paragraph = "";
  const partOf = createFenceReader();
  const flush = (): void => {
    const marker = LIST_ITEM.exec(paragraph)?.[0] ?? "";
    const wrapped = wrapLine(paragraph.slice(marker.length), width - marker.length);
    lines.push(...wrapped.map((line, index) => `${index === 0 ? marker : " ".repeat(marker.length)}${line}`));
    paragraph = "";
  };
  for (const line of cutBody(text).split(/\r?\n/)) {
    const part = partOf(line);
    if (part === "opening") flush();
    else if (part === "code") lines.push(cutToWidth(`  ${printable(line)}`, width));
    else if (part === "closing") continue;
    else if (line.trim() === "") {
      flush();
      if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
    } else if (LIST_ITEM.test(line)) {
      flush();
      paragraph = line;
    } else paragraph = paragraph === "" ? line.trim() : `${paragraph} ${line.trim()}`;
  }
  flush();
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

function cutBody(text: string): string {
  return text.length <= MAX_BODY_CHARS ? text : `${text.slice(0, MAX_BODY_CHARS)} …`;
}

export type HeadingStyle = { readonly paint: Paint; readonly width: number };

/** "Critical ─────────── 2". */
export function heading(
  label: string,
  number: number,
  accent: (text: string) => string,
  { paint, width }: HeadingStyle,
): string {
  const rule = "─".repeat(Math.max(3, width - displayWidth(label) - String(number).length - 2));
  return `${accent(label)} ${paint.dim(`${rule} ${number}`)}`;
}

export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}
