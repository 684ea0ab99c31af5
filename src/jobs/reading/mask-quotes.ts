/** Masks secrets in quotes of a change before they are stored, and restores the quoted lines from the change itself. */
import type { Change, ChangedFile, Hunk } from "../../review/change/change.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { createSameLengthMask, secretValuesIn } from "../../base/secrets/same-length-mask.ts";

export type QuoteMask = {
  /** Replaces secrets with asterisks. The length and the line breaks of the text stay the same. */
  readonly mask: (text: string) => string;
  /** Finds the lines of the file that mask to this text, nearest to the line hint. Falls back to the text itself. */
  readonly restore: (masked: string, location: Pick<Finding, "path" | "lineHint">) => string;
};

export function createQuoteMask({ files }: Pick<Change, "files">): QuoteMask {
  const values = sidesOf(files).flatMap(({ lines }) => secretValuesIn(lines.join("\n")));
  const mask = createSameLengthMask({ values });
  return {
    mask,
    restore(masked, { path, lineHint }) {
      if (!masked.includes("*")) return masked;
      const wanted = trimmed(masked.split("\n"));
      const candidates = sidesOf(files.filter((file) => file.path === path || file.oldPath === path))
        .flatMap((side) => windowsOf(side, wanted.length))
        .filter(({ lines }) => isMaskedAs(trimmed(lines), wanted, mask))
        .map((window) => ({ ...window, distance: Math.abs(window.start - (lineHint ?? 0)) }))
        .toArray()
        .toSorted((a, b) => a.distance - b.distance);
      return candidates[0]?.lines.join("\n") ?? masked;
    },
  } satisfies QuoteMask;
}

/** A quote may lack the indentation. */
function trimmed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim());
}

function isMaskedAs(
  lines: readonly string[],
  wanted: readonly string[],
  mask: (text: string) => string,
): boolean {
  // Compare lengths first: searching for secrets is slow, and almost no line has the same length.
  if (lines.some((line, index) => line.length !== wanted[index]?.length)) return false;
  return mask(lines.join("\n")) === wanted.join("\n");
}

/** Consecutive lines, and the number of the first. */
type Lines = { readonly start: number; readonly lines: readonly string[] };

/** Yields the old and the new side of each hunk. */
function* sidesOf(files: readonly ChangedFile[]): Generator<Lines> {
  for (const hunk of files.flatMap(({ hunks }) => hunks)) {
    yield { start: hunk.oldStart, lines: sideOf(hunk, "added") };
    yield { start: hunk.newStart, lines: sideOf(hunk, "removed") };
  }
}

function sideOf(hunk: Hunk, other: "added" | "removed"): readonly string[] {
  return walkHunk(hunk)
    .filter(({ kind }) => kind !== other)
    .map(({ text }) => text);
}

function* windowsOf({ start, lines }: Lines, size: number): Generator<Lines> {
  for (let index = 0; index + size <= lines.length; index++)
    yield { start: start + index, lines: lines.slice(index, index + size) };
}
