/** Finds the lines of a result in the change, and the replacement that a fix offers for them. */
import type { ChangedFile } from "../../review/change/change.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";
import { type JsonObject, listOf, objectOf, stringOf, wholeNumberOf } from "./json-values.ts";

/** As for the built-in rules: a longer quote no longer points to a place. */
const MAX_QUOTE_LINES = 10;

const MAX_FIX_CHARS = 10_000;

/** Line numbers, both included. */
export type LineRange = { readonly start: number; readonly end: number };

/** The new side of a changed file. */
export type ShownFile = {
  readonly path: string;
  readonly isNew: boolean;
  /** The lines that hunks show. */
  readonly lines: ReadonlyMap<number, { readonly text: string; readonly isAdded: boolean }>;
};

export function shownFileOf(file: ChangedFile): ShownFile {
  const lines = new Map<number, { text: string; isAdded: boolean }>();
  for (const hunk of file.hunks) {
    for (const { kind, text, newLine } of walkHunk(hunk))
      if (newLine !== null) lines.set(newLine, { text, isAdded: kind === "added" });
  }
  return { path: file.path, isNew: file.status === "added", lines };
}

/** Null when the region has no line numbers, as a region of bytes or characters. */
export function linesOfRegion(region: JsonObject): LineRange | null {
  const start = wholeNumberOf(region["startLine"], 1);
  if (start === null) return null;
  const end = Math.max(start, wholeNumberOf(region["endLine"], 1) ?? start);
  // A region that ends before the first column ends with the line before.
  return { start, end: end > start && region["endColumn"] === 1 ? end - 1 : end };
}

/** The lines to quote: those of the region, from the first that the change shows near an added line. Null without one. */
export function changedPart({ start, end }: LineRange, { lines }: ShownFile): LineRange | null {
  const added = firstAdded({ start, end }, lines);
  if (added === null) return null;
  const isNear = added < start + MAX_QUOTE_LINES && isShown({ start, end: added }, lines);
  const first = isNear ? start : added;
  let last = first;
  while (last < end && last - first + 1 < MAX_QUOTE_LINES && lines.has(last + 1)) last++;
  return { start: first, end: last };
}

/** A region can claim to have a billion lines, so the shorter of both lists is searched. */
function firstAdded({ start, end }: LineRange, lines: ShownFile["lines"]): number | null {
  if (end - start < lines.size) {
    for (let line = start; line <= end; line++) if (lines.get(line)?.isAdded === true) return line;
    return null;
  }
  for (const [line, { isAdded }] of lines) if (isAdded && line >= start && line <= end) return line;
  return null;
}

function isShown({ start, end }: LineRange, lines: ShownFile["lines"]): boolean {
  for (let line = start; line <= end; line++) if (!lines.has(line)) return false;
  return true;
}

export function quoteOf({ start, end }: LineRange, { lines }: ShownFile): string {
  const quoted: string[] = [];
  for (let line = start; line <= end; line++) quoted.push(lines.get(line)?.text ?? "");
  return quoted.join("\n");
}

export type LineFix = { readonly lines: LineRange; readonly replacement: string };

/** The only fix of a result, if it replaces whole lines of the same file and nothing else. */
export function wholeLineFix(
  result: JsonObject,
  { path, lines }: ShownFile,
  resolve: (location: JsonObject) => string | null,
): LineFix | null {
  const change = only(objectOf(only(result["fixes"]))["artifactChanges"]);
  const replacement = objectOf(only(objectOf(change)["replacements"]));
  const region = objectOf(replacement["deletedRegion"]);
  const range = linesOfRegion(region);
  const inserted = stringOf(objectOf(replacement["insertedContent"])["text"]);
  if (change === null || range === null || inserted.length > MAX_FIX_CHARS) return null;
  if (resolve(objectOf(objectOf(change)["artifactLocation"])) !== path) return null;
  if (range.end - range.start >= MAX_QUOTE_LINES || !isShown(range, lines)) return null;
  const hasLineEnd = region["endColumn"] === 1 && wholeNumberOf(region["endLine"], 1) === range.end + 1;
  const length = lines.get(range.end)?.text.length ?? 0;
  const coversEnd = hasLineEnd || region["endColumn"] === undefined || region["endColumn"] === length + 1;
  const isWhole = (region["startColumn"] === undefined || region["startColumn"] === 1) && coversEnd;
  // Without the line ends in the region, an empty replacement leaves an empty line behind.
  if (!isWhole || (inserted === "" && !hasLineEnd) || (hasLineEnd && !/^$|\n$/.test(inserted))) return null;
  return { lines: range, replacement: inserted.replace(/\r?\n$/, "") };
}

/** The one element of a list; null when there are more or none. */
function only(value: unknown): unknown {
  const list = listOf(value);
  return list.length === 1 ? list[0] : null;
}
