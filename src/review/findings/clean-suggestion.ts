/**
 * Removes the marks that models put around a suggestion: a fence, line numbers, diff signs. The replaced lines decide what is a mark
 * and what is code, because list items begin with a sign as well.
 */
import { withoutFence, withoutGutter, withoutHeaders } from "./copied-marks.ts";
import type { Anchor } from "./finding.ts";
import { keepsIndentation } from "./indentation.ts";

/** In these files, fences and signs are content. */
const MARKED_UP = /\.(?:md|mdx|markdown|rst|adoc|txt|diff|patch)$/i;

/** A diff may show this many lines around the lines it changes. */
const MAX_CONTEXT_LINES = 10;

/** The result has only line feeds, and none at its end. `text` is the whole file; null when it isn't known. */
export function cleanSuggestion(suggestion: string, anchor: Anchor | null, text: string | null): string {
  const lines = suggestion.replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n");
  if (anchor === null || MARKED_UP.test(anchor.path)) return lines.join("\n");
  const bare = withoutNumbers(unfenced(lines, anchor), anchor);
  const code = withoutHeaders(bare) ?? bare;
  return (withoutDiff(code, anchor, text) ?? bare).join("\n");
}

function unfenced(lines: readonly string[], { lines: current }: Anchor): readonly string[] {
  const hasText = (line: string): boolean => line.trim() !== "";
  const block = lines.slice(lines.findIndex(hasText), lines.findLastIndex(hasText) + 1);
  const isContent = current.some((line) => withoutFence([line]) !== null);
  return (isContent ? null : withoutFence(block)) ?? lines;
}

/** Removes only numbers of the replaced lines, or numbers from 1: keys of a table are numbers as well. */
function withoutNumbers(lines: readonly string[], anchor: Anchor): readonly string[] {
  const numbered = withoutGutter(lines);
  if (numbered === null || withoutGutter(anchor.lines) !== null) return lines;
  const { firstNumber } = numbered;
  const isOurs = firstNumber >= anchor.startLine - 1 && firstNumber <= anchor.endLine + 1;
  if (!isOurs && firstNumber !== 1) return lines;
  return withoutExtraSpace(numbered.lines, anchor.lines);
}

/** Removes the space after a mark (`13: foo`, `+ foo`) when every line has it and the replaced lines don't. */
function withoutExtraSpace(lines: readonly string[], current: readonly string[]): readonly string[] {
  const narrow = lines.map((line) => line.replace(/^ /, ""));
  const isExtra = lines.every((line) => line.trim() === "" || line.startsWith(" "));
  return isExtra && !keepsIndentation(current, lines) && keepsIndentation(current, narrow) ? narrow : lines;
}

/** The new side of a diff; null for other text. */
function withoutDiff(
  lines: readonly string[],
  { lines: current, startLine, endLine }: Anchor,
  text: string | null,
): readonly string[] | null {
  const isSigned = (line: string): boolean => /^[+-]/.test(line) && !current.includes(line);
  if (!lines.some(isSigned) || current.some((line) => line.startsWith("+"))) return null;
  const first = Math.max(0, startLine - 1 - MAX_CONTEXT_LINES);
  const file = (text ?? "").split("\n").slice(first, endLine + MAX_CONTEXT_LINES);
  const around = new Set(file.map((line) => line.replace(/\r$/, "")));
  const replaced = new Set(current.map((line) => line.trim()));
  const added = lines.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
  const isWide = withoutExtraSpace(added, current) !== added;
  const kept: string[] = [];
  for (const line of lines) {
    const rest = line.slice(1);
    if (line.trim() === "" || current.includes(line)) kept.push(line.trim() === "" ? "" : line);
    else if (line.startsWith("+")) kept.push(isWide ? rest.replace(/^ /, "") : rest);
    else if (line.startsWith("-") && replaced.has(rest.trim())) continue;
    else if (line.startsWith(" ") && current.includes(rest)) kept.push(rest);
    else if (!line.startsWith(" ") || !around.has(rest)) return null;
  }
  return kept;
}
