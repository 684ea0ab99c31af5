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

export function* walkHunk(hunk: Hunk): Generator<DiffLine> {
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  for (const line of hunk.lines) {
    const text = textOf(line);
    switch (line[0]) {
      case "+":
        yield { kind: "added", text, oldLine: null, newLine: newLine++ };
        break;
      case "-":
        yield { kind: "removed", text, oldLine: oldLine++, newLine: null };
        break;
      default:
        yield { kind: "context", text, oldLine: oldLine++, newLine: newLine++ };
    }
  }
}

function textOf(line: string): string {
  return line.endsWith("\r") ? line.slice(1, -1) : line.slice(1);
}

export type AddedLine = { readonly line: number; readonly text: string };

/** Added lines in order, with their line at the head. */
export function addedLines(file: ChangedFile): Generator<AddedLine> {
  return linesMarked("+", file);
}

/** Removed lines in order, with their line at the base. */
export function removedLines(file: ChangedFile): Generator<AddedLine> {
  return linesMarked("-", file);
}

/** Most checks walk these lines, so this creates no values for the others. */
function* linesMarked(marker: "+" | "-", { hunks }: ChangedFile): Generator<AddedLine> {
  const otherMarker = marker === "+" ? "-" : "+";
  for (const { newStart, oldStart, lines } of hunks) {
    let number = marker === "+" ? newStart : oldStart;
    for (const line of lines) {
      if (line.startsWith(marker)) yield { line: number, text: textOf(line) };
      if (!line.startsWith(otherMarker)) number++;
    }
  }
}

/** The head lines after which lines were removed and none added in their place. */
export function removalGaps(file: ChangedFile): readonly number[] {
  const gaps: number[] = [];
  for (const hunk of file.hunks) {
    if (!hunk.lines.some((line) => line.startsWith("-"))) continue;
    const lines = [...walkHunk(hunk)];
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
