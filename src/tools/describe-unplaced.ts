/** What a model hears about a quote that has no place: the lines it may mean, so that it can quote one of them. */
import { similarity } from "../base/similarity.ts";
import type { ChangedFile, Hunk } from "../review/change/change.ts";
import { type DiffLine, walkHunk } from "../review/change/walk-hunks.ts";
import type { Located } from "../review/findings/anchor-finding.ts";
import type { Anchor, Finding } from "../review/findings/finding.ts";
import { readQuote } from "../review/findings/read-quote.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import { namePath } from "./resolve-paths.ts";
import type { DataLine, ReviewContext, ToolResult } from "./tool.ts";

/** Comparing is slow; in a larger file the lines nearest to the given one have to do. */
const MAX_COMPARED_LINES = 3_000;
const MAX_BEGINNINGS = 3;
const MAX_NEAREST_LINES = 3;
const MAX_NAMED_PLACES = 10;
const MIN_START_CHARS = 8;
const MIN_SIMILARITY = 0.4;

export type Unplaced = {
  readonly finding: Finding;
  readonly file: ChangedFile;
  readonly located: Located;
};

/** `recorded`: what has been done all the same. */
export function describeUnplaced(
  recorded: string,
  { finding, file, located }: Unplaced,
  { guard }: Pick<ReviewContext, "guard">,
): ToolResult {
  const name = namePath(file.path, guard);
  if (located.kind === "ambiguous") {
    const places = located.anchors.slice(0, MAX_NAMED_PLACES).map(namePlace).join(", ");
    const text = `${recorded}, but the quote is in ${located.anchors.length} places of the diff of ${name} (${places}), so it has no line. Record it again with the line that you mean, and it takes the place of this one.`;
    return { text, isError: true };
  }
  const near = nearestLines(finding, file, guard);
  const text = `${recorded}, but the quote was not found in the diff of ${name}, so it has no line. Record it again with the exact text of a line and it takes the place of this one.`;
  if (near.length === 0) return { text: `${text} Call show_diff to see the lines.`, isError: true };
  return { text: `${text} The nearest lines:`, data: near, isError: true };
}

function namePlace({ startLine, side }: Anchor): string {
  return side === "new" ? `line ${startLine}` : `old line ${startLine}`;
}

/** Lines like the beginning of the quote; of those that are equally alike the one nearest to the given line comes first. */
function nearestLines(
  { quote, lineHint }: Finding,
  { hunks }: ChangedFile,
  guard: Guard,
): readonly DataLine[] {
  const wanted = new Set(readQuote(quote).map(({ lines }) => lines[0]?.trim() ?? ""));
  const beginnings = [...wanted].slice(0, MAX_BEGINNINGS);
  const far = ({ newLine, oldLine }: DiffLine): number =>
    Math.abs((newLine ?? oldLine ?? 0) - (lineHint ?? 0));
  return hunks
    .flatMap((hunk) => guardedLines(hunk, guard))
    .toSorted((one, other) => far(one) - far(other))
    .slice(0, MAX_COMPARED_LINES)
    .map((line) => ({
      line,
      likeness: Math.max(...beginnings.map((text) => startLikeness(text, line.text.trim()))),
    }))
    .filter(({ likeness }) => likeness >= MIN_SIMILARITY)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, MAX_NEAREST_LINES)
    .map(({ line: { shown, newLine, oldLine } }) => ({
      prefix: `${newLine === null ? `old line ${oldLine}` : `line ${newLine}`}: ${shown}`,
      text: "",
    }));
}

/** A quote often is the beginning of a line, or has the line at its beginning. */
function startLikeness(quoted: string, line: string): number {
  const length = Math.min(quoted.length, line.length);
  return Math.max(
    similarity(quoted, line),
    length < MIN_START_CHARS ? 0 : similarity(quoted.slice(0, length), line.slice(0, length)),
  );
}

/** Through the guard as a whole: a line of a key does not look like one when it stands alone. */
function guardedLines(hunk: Hunk, guard: Guard) {
  const lines = [...walkHunk(hunk)];
  const shown = guard.code(lines.map(({ text }) => text).join("\n")).split("\n");
  return lines.map((line, index) => ({ ...line, shown: shown[index] ?? "" }));
}
