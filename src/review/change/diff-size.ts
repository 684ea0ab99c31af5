/** Estimates the size of a file's diff with line numbers, without rendering it. */
import { sizeOf } from "../../base/text-size.ts";
import type { ChangedFile } from "./change.ts";

/** The number of digits in a file's largest line number. */
export function numberWidth({ hunks }: Pick<ChangedFile, "hunks">): number {
  const last = hunks.at(-1);
  if (last === undefined) return 1;
  return String(Math.max(last.oldStart, last.newStart) + last.lines.length).length;
}

/** A lower bound in characters; masking can make it slightly smaller. */
export function roughChars(file: ChangedFile): number {
  return measure(file, (line) => line.length);
}

/** The size for a tokenizer, in characters of English text. */
export function roughSize(file: ChangedFile): number {
  return measure(file, sizeOf);
}

function measure(file: ChangedFile, sizeOfLine: (line: string) => number): number {
  const prefixChars = 2 * numberWidth(file) + 3;
  let sum = file.path.length;
  for (const { lines } of file.hunks) for (const line of lines) sum += sizeOfLine(line) + prefixChars;
  return sum;
}
