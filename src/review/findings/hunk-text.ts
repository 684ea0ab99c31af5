/**
 * The lines of a hunk as text to search in: once without white space, once also without the details that models often get wrong.
 * Positions in that text map back to ranges of lines.
 */
import type { ChangedFile, Hunk } from "../change/change.ts";
import { type DiffLine, walkHunk } from "../change/walk-hunks.ts";

export type DiffSide = "new" | "old";

/** One side of a hunk, or both sides as the diff shows them. */
export type HunkText = {
  readonly side: DiffSide | "both";
  readonly lines: readonly DiffLine[];
  readonly squeezed: JoinedText;
  /** Computed on demand: most quotes are found without it. */
  readonly folded: () => JoinedText;
};

export type JoinedText = {
  readonly text: string;
  /** The start of each line in the text, plus one entry for the end. */
  readonly starts: readonly number[];
};

/** A range of lines by index. */
export type Range = {
  readonly first: number;
  readonly last: number;
  /** From the beginning of a line to the end of one. */
  readonly isWhole: boolean;
};

/** A weak match (a few words, or similar code) may be this far from the given line. */
export const NEAR_LINES = 10;

/** Longer texts are searched by their beginning: searching for a long text in repetitive text is very slow. */
const MAX_PROBE_CHARS = 64;

/** Characters that are compared after such beginnings, in total. */
const MAX_COMPARED_CHARS = 4_000_000;

export function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}

/**
 * Line by line without quotation marks, escapes, semicolons, commas and underscores, in lower case: `user_name` equals `userName`.
 * A line that has nothing else keeps them.
 */
export function fold(lines: readonly string[]): string {
  return lines.map(foldLine).join("");
}

export function foldLine(line: string): string {
  const plain = squeeze(line.normalize("NFKC")).toLowerCase();
  const folded = plain.replace(/\\[nrt]|["'`´‘’“”\\;,_]+/g, "");
  return folded === "" ? plain.replace(/["`´‘’“”]/g, "'") : folded;
}

const known = new WeakMap<ChangedFile, readonly HunkText[]>();

/** Hunk by hunk: the new side, the old side, both. */
export function hunkTexts(file: ChangedFile): readonly HunkText[] {
  const made = known.get(file) ?? file.hunks.flatMap(textsOf);
  known.set(file, made);
  return made;
}

function textsOf(hunk: Hunk): readonly HunkText[] {
  const lines = walkHunk(hunk);
  const sides = [
    { side: "new", lines: lines.filter(({ newLine }) => newLine !== null) },
    { side: "old", lines: lines.filter(({ oldLine }) => oldLine !== null) },
    { side: "both", lines },
  ] as const;
  return sides.map(({ side, lines: shown }) => {
    let folded: JoinedText | null = null;
    return {
      side,
      lines: shown,
      squeezed: join(shown.map(({ text }) => squeeze(text))),
      folded: () => (folded ??= join(shown.map(({ text }) => foldLine(text)))),
    };
  });
}

function join(texts: readonly string[]): JoinedText {
  const starts = [0];
  for (const text of texts) starts.push((starts.at(-1) ?? 0) + text.length);
  return { text: texts.join(""), starts };
}

export function rangesOf(wanted: string, { text, starts }: JoinedText): readonly Range[] {
  const ranges: Range[] = [];
  if (wanted === "") return ranges;
  const probe = wanted.slice(0, MAX_PROBE_CHARS);
  let at = text.indexOf(probe);
  for (let left = MAX_COMPARED_CHARS; at !== -1 && left > 0; left -= wanted.length) {
    if (text.startsWith(wanted, at)) ranges.push(rangeAt(at, at + wanted.length, starts));
    at = text.indexOf(probe, at + 1);
  }
  return ranges;
}

export function rangeAt(from: number, to: number, starts: readonly number[]): Range {
  const first = lineAt(from, starts);
  const last = lineAt(to - 1, starts);
  return { first, last, isWhole: starts[first] === from && starts[last + 1] === to };
}

/** The line that contains the character; blank lines contain none. */
export function lineAt(at: number, starts: readonly number[]): number {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}

export function numberOn(line: DiffLine, side: DiffSide): number | null {
  return side === "new" ? line.newLine : line.oldLine;
}
