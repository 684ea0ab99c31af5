/**
 * Finds a quote in a hunk, with several matchers from strict to loose. Each returns all its matches with their likeness;
 * choose-place.ts chooses between them.
 */
import { isOneEditApart, similarity } from "../../base/similarity.ts";
import {
  fold,
  foldLine,
  type HunkText,
  lineAt,
  NEAR_LINES,
  numberOn,
  type Range,
  rangeAt,
  rangesOf,
  squeeze,
} from "./hunk-text.ts";
import type { QuoteReading } from "./read-quote.ts";

export type Match = Range & {
  /** 1 for identical code, less for similar code. */
  readonly likeness: number;
  /** The share of the place that is quoted correctly. */
  readonly proof: number;
};

/** The same code with different white space scores a little lower, and with lines left out lower still. */
export const RESPACED = 0.98;
const FORGETFUL = 0.97;

/** A shorter fragment occurs in too many lines. */
const MIN_FRAGMENT_CHARS = 8;

/** Minimum likeness of a misquoted place; below it, the reviewer may mean something else. */
const MIN_LIKENESS = 0.8;

/** Code that only resembles the quote proves little. */
const RESEMBLANCE = 0.5;

/** A single line of a longer quote may be less similar. */
const MIN_LINE_LIKENESS = 0.6;

/** Likeness of the beginning of a line, such as one quoted without its comment. */
const CUT_LINE = 0.85;

/** Maximum number of lines similar to the first line of a quote, from which the rest is searched. */
const MAX_BEGUN = 100;

/** Lines that a reviewer may leave out silently, and the likeness that each costs. */
const MAX_FORGOTTEN = 3;
const FORGOTTEN_COST = 0.03;

/** Minimum code around an ellipsis. */
const MIN_GAPPED_CHARS = 4;

/** A text with more pieces isn't a quote. */
const MAX_SEGMENTS = 20;

/** Candidates for the last line; more don't make a match more ambiguous. */
const MAX_GAP_ENDS = 5;

/** Lines that an ellipsis may replace. */
const MAX_GAP_LINES = 100;

/** An ellipsis within a line may hide line breaks. */
const MAX_INLINE_GAP_LINES = 3;

/** `hint`: the given line; null for none. */
export type Way = (reading: QuoteReading, hunk: HunkText, hint: number | null) => readonly Match[];

/** Identical except for white space and line breaks; or identical lines of which a few are left out. */
export const wholly: Way = ({ lines }, hunk) => {
  const whole = rangesOf(squeeze(lines.join("")), hunk.squeezed).filter(({ isWhole }) => isWhole);
  return whole.length === 0
    ? withForgotten(lines, hunk)
    : whole.map((range) => wholeMatch(lines, range, hunk));
};

function wholeMatch(lines: readonly string[], range: Range, hunk: HunkText): Match {
  if (isExact(lines, range, hunk)) return { ...range, likeness: 1, proof: 1 };
  const last = followExactly(lines, range.first, hunk) ?? range.last;
  return { ...range, last, likeness: RESPACED, proof: 1 };
}

function isExact(lines: readonly string[], { first, last }: Range, hunk: HunkText): boolean {
  return (
    last - first + 1 === lines.length && lines.every((line, at) => line === hunk.lines[first + at]?.text)
  );
}

function withForgotten(lines: readonly string[], hunk: HunkText): readonly Match[] {
  return hunk.lines.flatMap((_line, first) => {
    const last = followExactly(lines, first, hunk);
    return last === null ? [] : [{ first, last, isWhole: true, likeness: FORGETFUL, proof: 1 }];
  });
}

/** Index of the last line if every non-blank line follows the first unchanged; null otherwise. */
function followExactly(lines: readonly string[], first: number, hunk: HunkText): number | null {
  if (lines.length < 2 || hunk.lines[first]?.text !== lines[0]) return null;
  let last = first - 1;
  for (const line of lines.filter((each) => each.trim() !== "")) {
    const end = first + lines.length + MAX_FORGOTTEN;
    let at = last + 1;
    while (at < end && hunk.lines[at]?.text !== line) at++;
    if (at === end) return null;
    last = at;
  }
  return last;
}

/** Part of a line, or several lines of which the first or last is cut. */
export const partly: Way = ({ lines }, { squeezed }) => {
  const wanted = squeeze(lines.join(""));
  if (wanted.length < MIN_FRAGMENT_CHARS) return [];
  return rangesOf(wanted, squeezed).map((range) => {
    const chars = (squeezed.starts[range.last + 1] ?? 0) - (squeezed.starts[range.first] ?? 0);
    return { ...range, likeness: 1, proof: wanted.length / chars };
  });
};

/** Different letter case, different quotation marks, a missing semicolon. */
export const loosely: Way = ({ lines }, hunk) => {
  const wanted = fold(lines);
  const isShort = wanted.length < MIN_FRAGMENT_CHARS;
  return rangesOf(wanted, hunk.folded())
    .filter(({ isWhole }) => isWhole || !isShort)
    .map((range) => {
      const likeness = similarity(squeeze(lines.join("")), textOf(range, hunk));
      return { ...range, likeness, proof: isShort ? 0 : likeness };
    });
};

function textOf({ first, last }: Range, { squeezed: { text, starts } }: HunkText): string {
  return text.slice(starts[first], starts[last + 1]);
}

const ELLIPSIS = /\.{3,}|…/;

/** `...`, `// …`, `[...]`, `# ... existing code ...`: of a line with single spaces. */
const LINE_GAP =
  /^(?:\/\/|#|--|%|\/\*|<!--|\*)? ?[[({<]? ?(?:\.{3,}|…)(?:[\w ,'-]{0,80}(?:\.{3,}|…))? ?[\])}>]? ?(?:\*\/|-->)?$/;

/** No gap, an ellipsis within a line, or an ellipsis that replaces whole lines. */
type Gap = "none" | "inline" | "lines";

type Segment = {
  readonly text: string;
  /** The gap before it in the quote. */
  readonly gap: Gap;
  /** Its line as quoted, when it's all of a line. */
  readonly line: string | null;
};

/** Pieces in the same order, with an ellipsis between them. */
export const withGaps: Way = ({ lines }, hunk) => {
  const [head, ...rest] = segmentsOf(lines);
  if (head === undefined) return [];
  const { text, starts } = hunk.folded();
  const chars = rest.reduce((sum, segment) => sum + segment.text.length, head.text.length);
  return rangesOf(head.text, { text, starts }).flatMap(({ first, last }) => {
    const end = text.indexOf(head.text, starts[first]) + head.text.length;
    return followSegments(rest, { end, line: last }, hunk).map((line) => ({
      first,
      last: line,
      isWhole: true,
      likeness: 1,
      proof: chars < MIN_FRAGMENT_CHARS ? 0 : 1,
    }));
  });
};

/** Empty when there is no ellipsis, or too little code around it. */
function segmentsOf(lines: readonly string[]): readonly Segment[] {
  const pieces = lines.flatMap(piecesOf);
  const segments: Segment[] = [];
  let gap: Gap = "none";
  for (const piece of pieces) {
    if (piece.gap !== "none" && gap !== "lines") gap = piece.gap;
    const text = foldLine(piece.text);
    const before = segments.at(-1);
    if (text === "") continue;
    if (before !== undefined && gap === "none")
      segments.splice(-1, 1, { ...before, text: before.text + text, line: null });
    else segments.push({ text, gap, line: piece.line });
    gap = "none";
  }
  const chars = segments.reduce((sum, { text }) => sum + text.length, 0);
  const isGapped = pieces.some((piece) => piece.gap !== "none") && segments.length <= MAX_SEGMENTS;
  return isGapped && chars >= MIN_GAPPED_CHARS ? segments : [];
}

/** A line split at its ellipses. */
function piecesOf(line: string): readonly Segment[] {
  if (LINE_GAP.test(line.trim().replace(/\s+/g, " "))) return [{ text: "", gap: "lines", line: null }];
  const texts = line.split(ELLIPSIS);
  return texts.map((text, at) => ({
    text,
    gap: at === 0 ? "none" : "inline",
    line: texts.length === 1 ? line : null,
  }));
}

/** Candidates for the last line; empty when the segments don't follow. */
function followSegments(
  [next, ...rest]: readonly Segment[],
  { end, line }: { readonly end: number; readonly line: number },
  hunk: HunkText,
): readonly number[] {
  if (next === undefined) return [line];
  const found = next.gap === "lines" ? linesFrom(next, line, hunk) : inlineFrom(next, end, line, hunk);
  const { starts } = hunk.folded();
  // Only the last segment may be ambiguous.
  if (found.length > 1 && rest.length > 0) return [];
  return found.flatMap((at) => {
    const reached = at + next.text.length;
    return followSegments(rest, { end: reached, line: lineAt(reached - 1, starts) }, hunk);
  });
}

function inlineFrom({ text }: Segment, from: number, line: number, hunk: HunkText): readonly number[] {
  const { text: folded, starts } = hunk.folded();
  const end = starts[Math.min(line + 1 + MAX_INLINE_GAP_LINES, starts.length - 1)] ?? 0;
  const at = folded.slice(from, end).indexOf(text);
  return at === -1 ? [] : [from + at];
}

/** Ends of blocks: the nearest with the indentation of the first line matches. */
const CLOSING = /^(?:[)\]}>]+|end|fi|done|esac)$/;

/** Lines that begin with the segment, preferably those quoted with their indentation. */
function linesFrom({ text, line: quoted }: Segment, line: number, hunk: HunkText): readonly number[] {
  const { text: folded, starts } = hunk.folded();
  const found: number[] = [];
  // An ellipsis replaces at least one line.
  for (let index = line + 2; index < hunk.lines.length && index - line <= MAX_GAP_LINES; index++)
    if (starts[index] !== starts[index + 1] && folded.startsWith(text, starts[index])) found.push(index);
  const same = found.filter((index) => hunk.lines[index]?.text.trimEnd() === quoted?.trimEnd());
  const likely = same.length > 0 ? same : found;
  const isBlock = CLOSING.test(text) && indentOf(quoted ?? "") === indentOf(hunk.lines[line]?.text ?? "");
  return likely.slice(0, isBlock ? 1 : MAX_GAP_ENDS).map((index) => starts[index] ?? 0);
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

/** Similar line by line, with a few lines left out. Only near the given line, if there is one. */
export const alike: Way = ({ lines }, hunk, hint) => {
  const wanted = lines.map(foldLine).filter((line) => line !== "");
  const [first, ...rest] = wanted;
  if (first === undefined || wanted.join("").length < MIN_FRAGMENT_CHARS || hunk.side === "both") return [];
  const least = rest.length === 0 ? MIN_LIKENESS : MIN_LINE_LIKENESS;
  const { starts } = hunk.folded();
  const matches: Match[] = [];
  let begun = 0;
  for (const at of nearLines(hunk, hint, lines.length + MAX_FORGOTTEN)) {
    const line = hunk.lines[at];
    const isGiven = hint !== null && hunk.side === "new" && line?.newLine === hint;
    const like = lineLikeness(first, at, hunk, isGiven);
    if (like < least) continue;
    // With this many similar beginnings, the match is ambiguous.
    if (rest.length > 0 && ++begun > MAX_BEGUN) return [];
    const start = { at, likeness: like * first.length, chars: first.length, isGiven };
    const match = followLines(rest, start, hunk);
    if (match === null || match.likeness < MIN_LIKENESS) continue;
    const range = rangeAt(starts[at] ?? 0, starts[match.last + 1] ?? 0, starts);
    matches.push({ ...range, likeness: match.likeness, proof: RESEMBLANCE });
  }
  return matches;
};

/** Indexes of lines from which a place could reach within NEAR_LINES of the hint; all lines without a hint. */
function nearLines({ lines, side }: HunkText, hint: number | null, length: number): readonly number[] {
  const [start] = lines;
  if (hint === null || start === undefined) return [...lines.keys()];
  const at = hint - (numberOn(start, side === "old" ? "old" : "new") ?? 0);
  const [from, to] = [Math.max(0, at - NEAR_LINES - length), Math.min(lines.length, at + NEAR_LINES + 1)];
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** `isGiven`: the reviewer names the line of this place, so that other names and literals are a misquote and no twin. */
function lineLikeness(wanted: string, at: number, hunk: HunkText, isGiven: boolean): number {
  const { text, starts } = hunk.folded();
  const [from, to] = [starts[at] ?? 0, starts[at + 1] ?? 0];
  const [shorter, longer] = [Math.min(to - from, wanted.length), Math.max(to - from, wanted.length)];
  if (wanted.length >= MIN_FRAGMENT_CHARS && to - from > wanted.length && text.startsWith(wanted, from))
    return CUT_LINE;
  // Texts of very different lengths can't be similar enough.
  if (shorter < MIN_LINE_LIKENESS * longer) return 0;
  const line = text.slice(from, to);
  const likeness = similarity(wanted, line);
  if (likeness < MIN_LINE_LIKENESS || hasOtherOperators(wanted, line)) return 0;
  return !isGiven && hasOtherWords(wanted, line) ? 0 : likeness;
}

const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

/** True when lines of one form differ in a keyword, a literal or a name. */
function hasOtherWords(one: string, other: string): boolean {
  const [words, others] = [one, other].map((line) => line.match(WORD) ?? []);
  if (words === undefined || others === undefined || words.length !== others.length) return false;
  if (one.replaceAll(WORD, "w") !== other.replaceAll(WORD, "w")) return false;
  return words.some((word, at) => word !== others[at] && !isSlip(word, others[at] ?? ""));
}

/** One letter left out, written twice or swapped with the next, inside of a word: `user` and `users`, `x1` and `x2` are two names. */
function isSlip(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const digits = (word: string): string => word.replaceAll(/\P{N}/gu, "");
  if (!isOneEditApart(one, other) || digits(one) !== digits(other)) return false;
  if (long.length > short.length) return short.at(-1) === long.at(-1);
  return Array.from(one).toSorted().join("") === Array.from(other).toSorted().join("");
}

/** Operators that decide what a line does. `=>` and `->` are arrows, and `</` ends a tag. */
const OPERATOR = /<\/|[=!]==?|[<>]=|&&|\|\||[-+*/%]=|!(?!\()|(?<![-=<])[<>](?![<>])/g;

/** `a == b` isn't a misquote of `a != b`. */
function hasOtherOperators(one: string, other: string): boolean {
  const [operators, others] = [one, other].map((line) => line.match(OPERATOR) ?? []);
  if (operators === undefined || others === undefined || operators.join(" ") === others.join(" "))
    return false;
  return operators.length === others.length || one.replace(OPERATOR, "") === other.replace(OPERATOR, "");
}

function followLines(
  wanted: readonly string[],
  start: {
    readonly at: number;
    readonly likeness: number;
    readonly chars: number;
    readonly isGiven: boolean;
  },
  hunk: HunkText,
): { readonly last: number; readonly likeness: number } | null {
  let { at, likeness, chars } = start;
  let forgotten = 0;
  for (const line of wanted) {
    const found = nextLike(line, { at, isGiven: start.isGiven }, MAX_FORGOTTEN - forgotten, hunk);
    if (found === null) return null;
    at = found.at;
    forgotten += found.skipped;
    likeness += found.likeness * line.length;
    chars += line.length;
  }
  return { last: at, likeness: likeness / chars - forgotten * FORGOTTEN_COST };
}

/** The most similar of the next non-blank lines. */
function nextLike(
  wanted: string,
  { at: after, isGiven }: { readonly at: number; readonly isGiven: boolean },
  maxSkipped: number,
  hunk: HunkText,
) {
  const { starts } = hunk.folded();
  let best: { at: number; skipped: number; likeness: number } | null = null;
  let skipped = 0;
  for (let at = after + 1; at < hunk.lines.length && skipped <= maxSkipped; at++) {
    if (starts[at] === starts[at + 1]) continue;
    const likeness = lineLikeness(wanted, at, hunk, isGiven);
    const gain = likeness - skipped * FORGOTTEN_COST;
    if (
      likeness >= MIN_LINE_LIKENESS &&
      (best === null || gain > best.likeness - best.skipped * FORGOTTEN_COST)
    )
      best = { at, skipped, likeness };
    skipped++;
  }
  return best;
}
