/** Makes texts and lists fit a budget, and says how much was left out. */
import type { Guard } from "../untrusted/guard.ts";

/** Longer texts are cut before they are cleaned: cleaning should cost what is shown, not what somebody sent. */
const MAX_RAW_CHARS = 65_536;

export type Fitted = { readonly text: string; readonly cutChars: number };

/** Text that people wrote, cleaned by the guard and cut at a line where one is near. */
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

export type FittedList = {
  readonly lines: readonly string[];
  readonly left: number;
  readonly cutChars: number;
};

/** The first lines that fit. One that is too long does not hide those after it. */
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

/** "(1234 characters of it are left out.)", with the line break before it; empty when nothing is. */
export function cutNote(cutChars: number): string {
  return cutChars === 0 ? "" : `\n(${cutChars} characters of it are left out for length.)`;
}

/** "(12 more are left out.)", with the line break before it; empty when none is. */
export function leftNote(left: number): string {
  return left === 0 ? "" : `\n(${left} more left out for length.)`;
}
