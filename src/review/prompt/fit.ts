/** Fits texts and lists into a budget, and counts what was left out. */
import type { Guard } from "../untrusted/guard.ts";

/** Longer texts are cut before cleaning, so that the cost depends on what is shown, not on what was sent. */
const MAX_RAW_CHARS = 65_536;

export type Fitted = { readonly text: string; readonly cutChars: number };

/** Prose, cleaned by the guard and cut at the end of a line if one is near. */
export function fitProse(text: string, budgetChars: number, guard: Guard): Fitted {
  const raw = text.slice(0, MAX_RAW_CHARS).toWellFormed();
  const cleaned = guard.prose(raw);
  const cutRaw = text.length - raw.length;
  if (cleaned.length <= budgetChars) return { text: cleaned, cutChars: cutRaw };
  const room = cleaned.slice(0, budgetChars);
  const lineEnd = room.lastIndexOf("\n");
  const kept = (lineEnd > budgetChars / 2 ? room.slice(0, lineEnd) : room).replace(/[\ud800-\udbff]$/, "");
  return { text: kept, cutChars: cutRaw + cleaned.length - kept.length };
}

/** Prose as one line, cut without a note. */
export function fitOnLine(text: string, maxChars: number, guard: Guard): string {
  return fitProse(text, maxChars, guard).text.replaceAll(/\s+/g, " ");
}

export type FittedList = {
  readonly lines: readonly string[];
  readonly left: number;
  readonly cutChars: number;
};

/** The first lines that fit. A line that is too long is skipped, and the next ones are tried. */
export function fitLines(
  lines: readonly string[],
  { budgetChars, maxLines = lines.length }: { readonly budgetChars: number; readonly maxLines?: number },
): FittedList {
  const kept: string[] = [];
  let usedChars = 0;
  let cutChars = 0;
  for (const line of lines) {
    if (kept.length < maxLines && usedChars + line.length + 1 <= budgetChars) {
      usedChars += line.length + 1;
      kept.push(line);
    } else cutChars += line.length + 1;
  }
  return { lines: kept, left: lines.length - kept.length, cutChars };
}

/** "(1234 characters left out.)" with a line break before it; empty when nothing was left out. */
export function cutNote(cutChars: number): string {
  return cutChars === 0 ? "" : `\n(${cutChars} characters left out for length.)`;
}

/** "(12 more left out.)" with a line break before it; empty when none was left out. */
export function leftNote(left: number): string {
  return left === 0 ? "" : `\n(${left} more left out for length.)`;
}
