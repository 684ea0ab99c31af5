/** Estimates the size of a file's diff with line numbers, without rendering it. */
import { sizeOf } from "../../base/text-size.ts";
import type { ChangedFile } from "./change.ts";

/** A lower bound in characters; masking can make it slightly smaller. */
export function roughChars(file: ChangedFile): number {
  return measure(file, (line) => line.length);
}

/** The size for a tokenizer, in characters of English text. */
export function roughSize(file: ChangedFile): number {
  return measure(file, sizeOf);
}

function measure(file: ChangedFile, sizeOfLine: (line: string) => number): number {
  let sum = file.path.length;
  for (const { lines, oldStart, newStart } of file.hunks) {
    // The number and a line break; the sign is part of the line.
    const prefixChars = String(Math.min(oldStart, newStart)).length + 1;
    for (const line of lines) sum += sizeOfLine(line) + prefixChars;
  }
  return sum;
}
