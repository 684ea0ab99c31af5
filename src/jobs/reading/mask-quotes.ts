/** Masks quotes of a change before they are stored, and finds the quoted lines again in the change itself. */
import type { Change, ChangedFile, Hunk } from "../../review/change/change.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { createSameLengthMask, secretValuesIn } from "../../base/secrets/same-length-mask.ts";

export type QuoteMask = {
  /** The text with stars instead of secrets, of the same length and with the same lines. */
  readonly mask: (text: string) => string;
  /** The lines of a file that were masked as this text, the nearest to their hint; the text itself when there are none. */
  readonly restore: (masked: string, place: Pick<Finding, "path" | "lineHint">) => string;
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
  // Looking for secrets is slow; nearly all lines have another length.
  if (lines.some((line, index) => line.length !== wanted[index]?.length)) return false;
  return mask(lines.join("\n")) === wanted.join("\n");
}

/** Lines that follow each other, and the number of the first. */
type Lines = { readonly start: number; readonly lines: readonly string[] };

/** Each hunk as it was and as it is. */
function* sidesOf(files: readonly ChangedFile[]): Generator<Lines> {
  for (const hunk of files.flatMap(({ hunks }) => hunks)) {
    yield { start: hunk.oldStart, lines: sideOf(hunk, "added") };
    yield { start: hunk.newStart, lines: sideOf(hunk, "removed") };
  }
}

function sideOf(hunk: Hunk, other: "added" | "removed"): readonly string[] {
  return [...walkHunk(hunk)].filter(({ kind }) => kind !== other).map(({ text }) => text);
}

function* windowsOf({ start, lines }: Lines, size: number): Generator<Lines> {
  for (let index = 0; index + size <= lines.length; index++)
    yield { start: start + index, lines: lines.slice(index, index + size) };
}
