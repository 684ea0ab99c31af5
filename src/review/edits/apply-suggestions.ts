/**
 * Turns verified suggestions of findings into edits, without a model. A suggestion replaces exactly the lines that it was verified
 * against: where they are as they were, or, if the file has changed, where the same lines are the only ones of their kind. Pure.
 */
import type { LifeState } from "../context/life-states.ts";
import type { ProposedEdit } from "./edit.ts";
import { lineEndingOf, withLineEnding } from "./line-endings.ts";

export type SuggestedFix = {
  readonly number: number;
  readonly path: string;
  readonly side: "new" | "old" | null;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly state: LifeState;
  /** The verified replacement of its lines; null for none. */
  readonly suggestion: string | null;
  /** The file at the head that its lines count; null if it can't be read. */
  readonly textThen: string | null;
};

/** Why a suggestion isn't applied. `overlaps`: with the suggestion of `other`, which has a lower number. */
export type LeftOutFix = {
  readonly number: number;
  readonly reason: "not-open" | "no-suggestion" | "unreadable" | "changed" | "ambiguous" | "overlaps";
  /** The number of the finding that it overlaps with. */
  readonly other: number | null;
};

export type AppliedFixes = {
  readonly edits: readonly ProposedEdit[];
  /** Numbers of findings, rising. */
  readonly applied: readonly number[];
  readonly leftOut: readonly LeftOutFix[];
};

type Place = {
  readonly number: number;
  readonly path: string;
  /** From 0; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly replacement: readonly string[];
};

/** `texts` has the files at the current head. Fixes with a lower number go first. */
export function applyVerifiedSuggestions(
  fixes: readonly SuggestedFix[],
  texts: ReadonlyMap<string, string>,
): AppliedFixes {
  const places: Place[] = [];
  const leftOut: LeftOutFix[] = [];
  for (const fix of fixes.toSorted((one, other) => one.number - other.number)) {
    const place = placeOf(fix, texts.get(fix.path) ?? null);
    const { number } = fix;
    if (typeof place === "string") leftOut.push({ number, reason: place, other: null });
    else {
      const other = places.find((each) => overlap(each, place));
      if (other === undefined) places.push(place);
      else leftOut.push({ number, reason: "overlaps", other: other.number });
    }
  }
  const edits = [...Map.groupBy(places, ({ path }) => path)].map(([path, its]) => {
    const before = texts.get(path) ?? "";
    return { path, before, after: replaceLines(before, its) };
  });
  return { edits, applied: places.map(({ number }) => number), leftOut };
}

function placeOf(fix: SuggestedFix, text: string | null): Place | LeftOutFix["reason"] {
  const { number, path, side, startLine, endLine, state, suggestion, textThen } = fix;
  if (state !== "open") return "not-open";
  if (suggestion === null || side !== "new" || startLine === null || endLine === null) return "no-suggestion";
  if (text === null || textThen === null) return "unreadable";
  const wanted = plainLines(textThen).slice(startLine - 1, endLine);
  if (wanted.length !== endLine - startLine + 1) return "changed";
  const lines = plainLines(text);
  const starts = text === textThen ? [startLine - 1] : findBlock(lines, wanted);
  const [from] = starts;
  if (from === undefined) return "changed";
  if (starts.length > 1) return "ambiguous";
  const replacement = suggestion === "" ? [] : suggestion.replaceAll("\r\n", "\n").split("\n");
  return { number, path, from, to: from + wanted.length, replacement };
}

/** The indexes at which exactly these lines are; at most two. */
function findBlock(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const starts: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length && starts.length < 2; at++)
    if (wanted.every((line, index) => lines[at + index] === line)) starts.push(at);
  return starts;
}

function overlap(one: Place, other: Place): boolean {
  return one.path === other.path && one.from < other.to && other.from < one.to;
}

function plainLines(text: string): readonly string[] {
  return text.replaceAll("\r\n", "\n").split("\n");
}

/** In a file that mixes line endings, new lines get the plain one. */
function replaceLines(before: string, places: readonly Place[]): string {
  const ending = lineEndingOf(before);
  const lines = withLineEnding(before, ending === null ? null : "\n").split("\n");
  for (const { from, to, replacement } of places.toSorted((one, other) => other.from - one.from))
    lines.splice(from, to - from, ...replacement);
  return withLineEnding(lines.join("\n"), ending);
}
