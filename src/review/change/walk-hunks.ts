/** Walks the lines of hunks with their numbers on both sides. No other code counts diff lines. */
import type { ChangedFile, Hunk } from "./change.ts";

export type DiffLine = {
  readonly kind: "added" | "removed" | "context";
  /** Without the marker and without a trailing carriage return. */
  readonly text: string;
  /** 1-based line at the base; null for an added line. */
  readonly oldLine: number | null;
  /** 1-based line at the head; null for a removed line. */
  readonly newLine: number | null;
};

/** A list, because most callers need all lines and a generator takes several times as long. */
export function walkHunk(hunk: Hunk): readonly DiffLine[] {
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  return hunk.lines.map((line): DiffLine => {
    const text = textOf(line);
    switch (line[0]) {
      case "+":
        return { kind: "added", text, oldLine: null, newLine: newLine++ };
      case "-":
        return { kind: "removed", text, oldLine: oldLine++, newLine: null };
      default:
        return { kind: "context", text, oldLine: oldLine++, newLine: newLine++ };
    }
  });
}

function textOf(line: string): string {
  return line.endsWith("\r") ? line.slice(1, -1) : line.slice(1);
}

export type AddedLine = { readonly line: number; readonly text: string };

/** Added lines in order, with their line at the head. */
export function addedLines(file: ChangedFile): readonly AddedLine[] {
  return linesMarked("+", file, lineOf);
}

/** The lines at the head of the added lines, in order. */
export function addedLineNumbers(file: ChangedFile): readonly number[] {
  return linesMarked("+", file, (_, number) => number);
}

/** Removed lines in order, with their line at the base. */
export function removedLines(file: ChangedFile): readonly AddedLine[] {
  return linesMarked("-", file, lineOf);
}

function lineOf(line: string, number: number): AddedLine {
  return { line: number, text: textOf(line) };
}

/** Most checks walk these lines, so this creates no values for the others. */
function linesMarked<Value>(
  marker: "+" | "-",
  { hunks }: ChangedFile,
  valueOf: (line: string, number: number) => Value,
): readonly Value[] {
  const otherMarker = marker === "+" ? "-" : "+";
  const marked: Value[] = [];
  for (const { newStart, oldStart, lines } of hunks) {
    let number = marker === "+" ? newStart : oldStart;
    for (const line of lines) {
      const first = line[0];
      if (first === marker) marked.push(valueOf(line, number));
      if (first !== otherMarker) number++;
    }
  }
  return marked;
}

/** The head lines after which lines were removed and none added in their place. */
export function removalGaps(file: ChangedFile): readonly number[] {
  const gaps: number[] = [];
  for (const hunk of file.hunks) {
    if (!hunk.lines.some((line) => line.startsWith("-"))) continue;
    const lines = walkHunk(hunk);
    for (const [index, { kind, newLine }] of lines.entries()) {
      const next = lines[index + 1];
      if (kind !== "context" || newLine === null || next?.kind !== "removed") continue;
      let after = index + 1;
      while (lines[after]?.kind === "removed") after++;
      if (lines[after]?.kind !== "added") gaps.push(newLine);
    }
  }
  return gaps;
}
