/** Decides whether the change caused a diagnostic, and where it is reported. */
import type { AnalyserRule } from "./analyser-rule.ts";
import type { Diagnostic } from "./engine.ts";

/** A place of this many lines counts as changed if any of them is. In a longer one only the first line says what changed. */
const MAX_PLACE_LINES = 4;

/** An added line this far above a certain problem is its cause, and a diff still shows both. */
const MAX_LINES_BELOW_CAUSE = 3;

export type CausedPlace = Pick<Diagnostic, "line" | "endLine">;

/** The place to report; null when the change didn't cause the problem. */
export function causedPlace(
  { line, endLine, related = [] }: Diagnostic,
  { isCertainAnywhere }: Pick<AnalyserRule, "isCertainAnywhere">,
  added: ReadonlySet<number>,
): CausedPlace | null {
  const isAdded = (each: number): boolean => added.has(each);
  const span = Math.min(endLine - line + 1, MAX_PLACE_LINES);
  const isShort = endLine - line < MAX_PLACE_LINES;
  const place = { line, endLine };
  if (isAdded(line) || (isShort && range(line, span).some(isAdded))) return place;
  if (isCertainAnywhere !== true) return null;
  const other = related.find(isAdded);
  if (other !== undefined) return { line: other, endLine: other };
  return range(line - MAX_LINES_BELOW_CAUSE, MAX_LINES_BELOW_CAUSE).some(isAdded) ? place : null;
}

function range(start: number, length: number): readonly number[] {
  return Array.from({ length }, (_, index) => start + index);
}
