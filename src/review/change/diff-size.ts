/** How large the diff of a file becomes when it is shown with its line numbers. Cheap: nothing is rendered. */
import { sizeOf } from "../../base/text-size.ts";
import type { ChangedFile } from "./change.ts";

/** The digits that the largest line number of a file takes. */
export function numberWidth({ hunks }: Pick<ChangedFile, "hunks">): number {
  const last = hunks.at(-1);
  if (last === undefined) return 1;
  return String(Math.max(last.oldStart, last.newStart) + last.lines.length).length;
}

/** At least this many characters; masking may make it a little less. */
export function roughChars(file: ChangedFile): number {
  return measure(file, (line) => line.length);
}

/** The same as a tokenizer sees it: in characters of English. */
export function roughSize(file: ChangedFile): number {
  return measure(file, sizeOf);
}

function measure(file: ChangedFile, sizeOfLine: (line: string) => number): number {
  const prefixChars = 2 * numberWidth(file) + 3;
  let sum = file.path.length;
  for (const { lines } of file.hunks) for (const line of lines) sum += sizeOfLine(line) + prefixChars;
  return sum;
}
