/** Chooses the code around a change that fits into its budget: callers first, and nothing that the diff already shows. */
import { compareTexts } from "../../base/compare-texts.ts";
import { estimateTokens, sizeOf } from "../../base/text-size.ts";
import { changedPlaces, spanOf } from "../change/changed-places.ts";
import type { ChangedFile } from "../change/change.ts";
import type { RelatedCode, ShortFunction } from "./related-code.ts";

/** A place that may be shown, with the whole lines around it. */
export type RelatedCandidate = Omit<RelatedCode, "text"> & {
  readonly endLine: number;
  /** The line it is about; the piece is cut around it when it is too long or partly visible. */
  readonly line: number;
  /** Tests come after other callers. */
  readonly isTest: boolean;
};

export type RelatedTexts = {
  /** All lines of a file at the head, without line endings and without secrets. */
  readonly linesOf: (path: string) => readonly string[];
  /** Whether the diff shows a line of the head. */
  readonly isVisible: (path: string, line: number) => boolean;
};

/** A caller shows how a changed name is used; the fourth one rarely shows another way. */
const FIRST_CALLERS = 3;

/** The lines around the place that matters, when the whole piece doesn't fit. */
const LEAST_LINES_AROUND = 3;

/** A longer line is data. */
const MAX_RELATED_LINE_CHARS = 400;

/** The path, the reason and the number of each line. */
const HEADER_CHARS = 80;
const LINE_PREFIX_CHARS = 7;

export function selectRelatedCode(
  candidates: readonly RelatedCandidate[],
  budgetTokens: number,
  texts: RelatedTexts,
): readonly RelatedCode[] {
  const chosen: RelatedCode[] = [];
  const taken = new Set<string>();
  let leftTokens = budgetTokens;
  for (const candidate of inOrder(candidates)) {
    const isFree = (line: number): boolean =>
      !taken.has(`${candidate.path}\0${line}`) && !texts.isVisible(candidate.path, line);
    if (!isFree(candidate.line)) continue;
    const piece = [Number.POSITIVE_INFINITY, LEAST_LINES_AROUND]
      .map((around) => cutPiece(candidate, around, isFree, texts.linesOf(candidate.path)))
      .find((each) => each !== null && costOf(each) <= leftTokens);
    if (piece === undefined || piece === null) continue;
    leftTokens -= costOf(piece);
    chosen.push(piece);
    for (const [index] of piece.text.split("\n").entries())
      taken.add(`${piece.path}\0${piece.startLine + index}`);
  }
  return chosen;
}

/** The free lines next to the place that matters, at most `around` before and after it. Null when a line of it can't be shown. */
function cutPiece(
  candidate: RelatedCandidate,
  around: number,
  isFree: (line: number) => boolean,
  lines: readonly string[],
): RelatedCode | null {
  const { endLine, line, isTest: _, ...piece } = candidate;
  const isShown = (each: number): boolean =>
    isFree(each) && each <= lines.length && (lines[each - 1]?.length ?? 0) <= MAX_RELATED_LINE_CHARS;
  if (!isShown(line)) return null;
  let first = line;
  let last = line;
  while (first > Math.max(candidate.startLine, line - around) && isShown(first - 1)) first--;
  while (last < Math.min(endLine, line + around) && isShown(last + 1)) last++;
  return { ...piece, startLine: first, text: lines.slice(first - 1, last).join("\n") };
}

function costOf({ path, about, text }: RelatedCode): number {
  const lineCount = text.split("\n").length;
  return estimateTokens(
    sizeOf(text) + sizeOf(path) + sizeOf(about) + HEADER_CHARS + lineCount * LINE_PREFIX_CHARS,
  );
}

/** By tier, then one piece of each name after the other. Ties keep the order of paths and lines. */
function inOrder(candidates: readonly RelatedCandidate[]): readonly RelatedCandidate[] {
  const sorted = candidates.toSorted(
    (one, other) =>
      Number(one.isTest) - Number(other.isTest) ||
      compareTexts(one.path, other.path) ||
      one.line - other.line,
  );
  const counts = new Map<string, number>();
  return sorted
    .map((candidate) => {
      const key = [candidate.reason, candidate.changedPath, candidate.about].join("\0");
      const nth = counts.get(key) ?? 0;
      counts.set(key, nth + 1);
      return { candidate, nth, tier: tierOf(candidate, nth) };
    })
    .toSorted((one, other) => one.tier - other.tier || one.nth - other.nth)
    .map(({ candidate }) => candidate);
}

function tierOf({ reason }: RelatedCandidate, nth: number): number {
  if (reason === "caller") return nth >= FIRST_CALLERS ? 3 : 0;
  return { test: 1, type: 2 }[reason];
}

/** The functions whose hidden lines fit into the budget, in the order given. Those that the diff shows whole are left out. */
export function selectShortFunctions(
  functions: readonly ShortFunction[],
  files: readonly ChangedFile[],
  budgetTokens: number,
): readonly ShortFunction[] {
  const isVisible = findShownLines(files, []);
  let leftTokens = budgetTokens;
  return functions.filter(({ path, startLine, lines }) => {
    const hidden = lines.filter((_, index) => !isVisible(path, startLine + index));
    const tokens = estimateTokens(hidden.reduce((sum, line) => sum + sizeOf(line) + LINE_PREFIX_CHARS, 0));
    const isLong = hidden.some((line) => line.length > MAX_RELATED_LINE_CHARS);
    if (hidden.length === 0 || isLong || tokens > leftTokens) return false;
    leftTokens -= tokens;
    return true;
  });
}

/** Whether the diff, or one of the functions that it's widened to, shows a line of the head. */
export function findShownLines(
  files: readonly ChangedFile[],
  functions: readonly ShortFunction[],
): RelatedTexts["isVisible"] {
  const ranges = new Map<string, { readonly first: number; readonly last: number }[]>();
  const add = (path: string, first: number, last: number): void => {
    ranges.set(path, [...(ranges.get(path) ?? []), { first, last }]);
  };
  for (const { path, hunks } of files)
    for (const hunk of hunks) {
      const { newFirst, newLast } = spanOf(hunk);
      add(path, newFirst, newLast);
    }
  for (const { path, startLine, lines } of functions) add(path, startLine, startLine + lines.length - 1);
  return (path, line) => ranges.get(path)?.some(({ first, last }) => line >= first && line <= last) ?? false;
}

/** The lines at the head that a file's hunks change, ascending. */
export function changedPlacesOf({ hunks }: ChangedFile): readonly number[] {
  return hunks.flatMap(changedPlaces);
}
