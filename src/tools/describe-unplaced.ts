/** The answer for a quote without a place: lists similar lines, so that the model can quote one of them. */
import { similarity } from "../base/similarity.ts";
import type { ChangedFile, Hunk } from "../review/change/change.ts";
import { type DiffLine, walkHunk } from "../review/change/walk-hunks.ts";
import type { Located } from "../review/findings/anchor-finding.ts";
import type { Anchor, Finding } from "../review/findings/finding.ts";
import { readQuote } from "../review/findings/read-quote.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import { namePath } from "./resolve-paths.ts";
import type { DataLine, ReviewContext, ToolResult } from "./tool.ts";

/** Comparing is slow, so in a larger file only the lines nearest to the given one are compared. */
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

/** `recorded`: the beginning of the answer, about what was recorded anyway. */
export function describeUnplaced(
  recorded: string,
  { finding, file, located }: Unplaced,
  { guard }: Pick<ReviewContext, "guard">,
): ToolResult {
  const name = namePath(file.path, guard);
  if (located.kind === "ambiguous") {
    const places = located.anchors.slice(0, MAX_NAMED_PLACES).map(namePlace).join(", ");
    const text = `${recorded}, but the quote occurs ${located.anchors.length} times in the diff of ${name} (${places}), so it has no line. To replace it, record it again with the right line number.`;
    return { text, isError: true };
  }
  const near = nearestLines(finding, file, guard);
  const text = `${recorded}, but the quote wasn't found in the diff of ${name}, so it has no line. To replace it, record it again with the exact text of a line.`;
  if (near.length === 0) return { text: `${text} Call show_diff to see the lines.`, isError: true };
  return { text: `${text} The nearest lines:`, data: near, isError: true };
}

function namePlace({ startLine, side }: Anchor): string {
  return side === "new" ? `line ${startLine}` : `old line ${startLine}`;
}

/** Lines similar to the beginning of the quote. Of equally similar lines, those nearest to the given line come first. */
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

/** A quote is often the beginning of a line, or begins with the line. */
function startLikeness(quoted: string, line: string): number {
  const length = Math.min(quoted.length, line.length);
  return Math.max(
    similarity(quoted, line),
    length < MIN_START_CHARS ? 0 : similarity(quoted.slice(0, length), line.slice(0, length)),
  );
}

/** Guards the hunk as a whole, because a single line of a key doesn't look like one. */
function guardedLines(hunk: Hunk, guard: Guard) {
  const lines = walkHunk(hunk);
  const shown = guard.code(lines.map(({ text }) => text).join("\n")).split("\n");
  return lines.map((line, index) => ({ ...line, shown: shown[index] ?? "" }));
}
