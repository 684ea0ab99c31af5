/**
 * Where a quote is in a hunk, in five ways from strict to loose. Each way gives all places it finds, with how alike they are;
 * which of them is meant is decided elsewhere.
 */
import { similarity } from "../../base/similarity.ts";
import { fold, type HunkText, lineAt, type Range, rangeAt, rangesOf, squeeze } from "./hunk-text.ts";
import type { Reading } from "./read-quote.ts";

export type Match = Range & {
  /** 1 for the same code; below it, how much of it is the same. */
  readonly likeness: number;
};

/** A shorter fragment is in too many lines to mean one of them. */
const MIN_FRAGMENT_CHARS = 8;

/** How alike a misquoted place must be; below it the reviewer may mean something else. */
const MIN_LIKENESS = 0.8;

/** A line of a longer quote may be less alike when the others are. */
const MIN_LINE_LIKENESS = 0.6;

/** Lines that a reviewer may leave out without a mark, and what each costs in likeness. */
const MAX_FORGOTTEN = 3;
const FORGOTTEN_COST = 0.03;

/** Lines that an ellipsis may stand for. */
const MAX_GAP_LINES = 100;

/** An ellipsis within a line may hide where the line was broken. */
const MAX_INLINE_GAP_LINES = 3;

export type Way = (reading: Reading, hunk: HunkText) => readonly Match[];

/** Line by line the same characters. */
export const exactly: Way = ({ lines }, hunk) =>
  wholeRanges(squeeze(lines.join("")), hunk).filter(
    ({ first, last }) =>
      last - first + 1 === lines.length && lines.every((line, at) => line === hunk.lines[first + at]?.text),
  );

/** The same but for white space, however the lines are broken. */
export const wholly: Way = ({ lines }, hunk) => wholeRanges(squeeze(lines.join("")), hunk);

function wholeRanges(wanted: string, { squeezed }: HunkText): readonly Match[] {
  return rangesOf(wanted, squeezed)
    .filter(({ isWhole }) => isWhole)
    .map((range) => ({ ...range, likeness: 1 }));
}

/** A part of one line, or lines of which the first or the last is cut. */
export const partly: Way = ({ lines }, { squeezed }) => {
  const wanted = squeeze(lines.join(""));
  if (wanted.length < MIN_FRAGMENT_CHARS) return [];
  return rangesOf(wanted, squeezed).map((range) => {
    const chars = (squeezed.starts[range.last + 1] ?? 0) - (squeezed.starts[range.first] ?? 0);
    return { ...range, likeness: wanted.length / chars };
  });
};

/** Words in another case, other quotation marks, a semicolon less. */
export const loosely: Way = ({ lines }, hunk) => {
  const text = lines.join("");
  const wanted = fold(text);
  if (wanted.length < MIN_FRAGMENT_CHARS) return [];
  return rangesOf(wanted, hunk.folded()).map((range) => ({
    ...range,
    likeness: similarity(squeeze(text), textOf(range, hunk)),
  }));
};

function textOf({ first, last }: Range, { squeezed: { text, starts } }: HunkText): string {
  return text.slice(starts[first], starts[last + 1]);
}

const ELLIPSIS = /\.{3,}|…/;
const LINE_GAP = /^\s*(?:\/\/|#|--|%|\/\*|<!--|\*)?\s*[[({<]?\s*(?:\.{3,}|…)(?:[\w ,'-]{0,80}(?:\.{3,}|…))?\s*[\])}>]?\s*(?:\*\/|-->)?\s*$/;

type Segment = {
  readonly text: string;
  /** What the quote has before it: nothing, an ellipsis within a line, or one that stands for lines. */
  readonly gap: "none" | "inline" | "lines";
  /** Its line as quoted, when it's all of a line. */
  readonly line: string | null;
};

/** Pieces in the same order, with an ellipsis between them. */
export const withGaps: Way = ({ lines }, hunk) => {
  const [head, ...rest] = segmentsOf(lines);
  if (head === undefined) return [];
  const folded = hunk.folded();
  return rangesOf(head.text, folded).flatMap(({ first, last }) => {
    const from = folded.text.indexOf(head.text, folded.starts[first]);
    const to = followSegments(rest, from + head.text.length, hunk);
    return to === null || to.line - first > MAX_GAP_LINES + lines.length
      ? []
      : [{ first, last: Math.max(last, to.line), isWhole: true, likeness: 1 }];
  });
};

/** None when there is no ellipsis, or too little beside it. */
function segmentsOf(lines: readonly string[]): readonly Segment[] {
  const segments: Segment[] = [];
  let gap: Segment["gap"] = "none";
  let isGapped = false;
  const take = (text: string, line: string | null): void => {
    const before = segments.at(-1);
    if (fold(text) === "") return;
    if (before !== undefined && gap === "none")
      segments.splice(-1, 1, { ...before, text: before.text + fold(text), line: null });
    else segments.push({ text: fold(text), gap, line });
    gap = "none";
  };
  for (const line of lines) {
    if (LINE_GAP.test(line)) {
      gap = "lines";
      isGapped = true;
      continue;
    }
    const [first = "", ...others] = line.split(ELLIPSIS);
    take(first, others.length === 0 ? line : null);
    for (const other of others) {
      gap = gap === "lines" ? "lines" : "inline";
      isGapped = true;
      take(other, null);
    }
  }
  const chars = segments.reduce((sum, { text }) => sum + text.length, 0);
  return isGapped && chars >= MIN_FRAGMENT_CHARS ? segments : [];
}

/** The line of the last one; null when they don't follow. */
function followSegments(
  segments: readonly Segment[],
  from: number,
  hunk: HunkText,
): { readonly line: number } | null {
  const folded = hunk.folded();
  let [end, line] = [from, lineAt(from - 1, folded.starts)];
  for (const segment of segments) {
    const found = segment.gap === "lines" ? lineFrom(segment, line, hunk) : inlineFrom(segment, end, line, hunk);
    if (found === null) return null;
    end = found + segment.text.length;
    line = lineAt(end - 1, folded.starts);
  }
  return { line };
}

function inlineFrom({ text }: Segment, from: number, line: number, hunk: HunkText): number | null {
  const folded = hunk.folded();
  const at = folded.text.indexOf(text, from);
  return at === -1 || lineAt(at, folded.starts) - line > MAX_INLINE_GAP_LINES ? null : at;
}

/** The nearest line that begins so; before all others one that is quoted with its indentation. */
function lineFrom({ text, line: quoted }: Segment, line: number, hunk: HunkText): number | null {
  const folded = hunk.folded();
  let nearest: number | null = null;
  for (let index = line + 1; index < hunk.lines.length && index - line <= MAX_GAP_LINES; index++) {
    const start = folded.starts[index] ?? 0;
    if (start === folded.starts[index + 1] || !folded.text.startsWith(text, start)) continue;
    if (quoted === null || hunk.lines[index]?.text.trimEnd() === quoted.trimEnd()) return start;
    nearest ??= start;
  }
  return nearest;
}

/** Line by line alike; a few lines in between may be forgotten. */
export const alike: Way = ({ lines }, hunk) => {
  const wanted = lines.map(fold).filter((line) => line !== "");
  const [first, ...rest] = wanted;
  if (first === undefined || wanted.join("").length < MIN_FRAGMENT_CHARS) return [];
  const least = rest.length === 0 ? MIN_LIKENESS : MIN_LINE_LIKENESS;
  const folded = hunk.folded();
  return hunk.lines.flatMap((_line, at) => {
    const like = lineLikeness(first, at, hunk);
    if (like < least) return [];
    const match = followLines(rest, { at, likeness: like * first.length, chars: first.length }, hunk);
    if (match === null || match.likeness < MIN_LIKENESS) return [];
    const [from, to] = [folded.starts[at] ?? 0, folded.starts[match.last + 1] ?? 0];
    return [{ ...rangeAt(from, to, folded.starts), likeness: match.likeness }];
  });
};

function lineLikeness(wanted: string, at: number, hunk: HunkText): number {
  const { text, starts } = hunk.folded();
  const [from, to] = [starts[at] ?? 0, starts[at + 1] ?? 0];
  const [shorter, longer] = [Math.min(to - from, wanted.length), Math.max(to - from, wanted.length)];
  // No two texts are more alike than their lengths.
  return shorter < MIN_LINE_LIKENESS * longer ? 0 : similarity(wanted, text.slice(from, to));
}

function followLines(
  wanted: readonly string[],
  start: { readonly at: number; readonly likeness: number; readonly chars: number },
  hunk: HunkText,
): { readonly last: number; readonly likeness: number } | null {
  let { at, likeness, chars } = start;
  let forgotten = 0;
  for (const line of wanted) {
    const found = nextLike(line, at, MAX_FORGOTTEN - forgotten, hunk);
    if (found === null) return null;
    at = found.at;
    forgotten += found.skipped;
    likeness += found.likeness * line.length;
    chars += line.length;
  }
  return { last: at, likeness: likeness / chars - forgotten * FORGOTTEN_COST };
}

/** The most alike of the next lines that have text. */
function nextLike(wanted: string, after: number, maxSkipped: number, hunk: HunkText) {
  const { starts } = hunk.folded();
  let best: { at: number; skipped: number; likeness: number } | null = null;
  let skipped = 0;
  for (let at = after + 1; at < hunk.lines.length && skipped <= maxSkipped; at++) {
    if (starts[at] === starts[at + 1]) continue;
    const likeness = lineLikeness(wanted, at, hunk);
    const gain = likeness - skipped * FORGOTTEN_COST;
    if (likeness >= MIN_LINE_LIKENESS && (best === null || gain > best.likeness - best.skipped * FORGOTTEN_COST))
      best = { at, skipped, likeness };
    skipped++;
  }
  return best;
}
