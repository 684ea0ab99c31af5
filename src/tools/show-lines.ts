/** Numbered lines for an answer: cuts long lines and long lists, and reports how much is missing. */
import { MAX_LINE_CHARS } from "../review/change/change-limits.ts";
import type { DataLine } from "./tool.ts";

/** Longer than any private key: with this many lines before and after, a key that is cut is still recognized and masked. */
const SURROUNDING_LINES = 250;

type Shown = {
  readonly data: readonly DataLine[];
  /** The number of lines that are shown; the rest didn't fit. */
  readonly count: number;
};

/** `lines` from the index `from` on, at most `maxLines` and `maxChars` of them. */
export function showLines(
  lines: readonly DataLine[],
  from: number,
  { maxLines, maxChars }: { readonly maxLines: number; readonly maxChars: number },
): Shown {
  const shown: DataLine[] = [];
  let chars = 0;
  for (const { prefix, text } of lines.slice(from, from + maxLines)) {
    chars += (prefix?.length ?? 0) + Math.min(text.length, MAX_LINE_CHARS) + 1;
    if (chars > maxChars && shown.length > 0) break;
    shown.push({ prefix, text, maxChars: MAX_LINE_CHARS });
  }
  const end = from + shown.length;
  const before = lines.slice(Math.max(0, from - SURROUNDING_LINES), from).map(unshown);
  const behind = lines.slice(end, end + SURROUNDING_LINES).map(unshown);
  return { data: [...before, ...shown, ...behind], count: shown.length };
}

function unshown({ text }: DataLine): DataLine {
  return { prefix: null, text, maxChars: MAX_LINE_CHARS };
}

/** `text` is already guarded; `totalChars` is the length of the whole line when `text` is only its beginning. */
export function cutLine(text: string, maxChars: number, totalChars = text.length): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)} … (${Math.max(totalChars, text.length) - maxChars} more characters)`;
}
