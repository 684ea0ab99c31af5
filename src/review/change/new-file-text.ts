/** The text of a new file, which its diff has completely. */
import type { ChangedFile } from "./change.ts";
import { addedLines } from "./walk-hunks.ts";

/** Null when the file isn't new, or when the diff lacks a part of it. Always ends with a line feed, and has no carriage returns. */
export function newFileText(file: ChangedFile): string | null {
  const { status, hunks, cutLines } = file;
  if (status !== "added" || hunks.length === 0 || cutLines.length > 0) return null;
  return `${addedLines(file)
    .map(({ text }) => text)
    .join("\n")}\n`;
}
