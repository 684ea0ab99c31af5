/**
 * The code around a finding, taken from the hunks of its file. It never reads a file, so the frame holds only lines
 * that the diff shows.
 */
import type { ChangedFile, Hunk } from "../../change/change.ts";
import { walkHunk, type DiffLine } from "../../change/walk-hunks.ts";
import type { Anchor } from "../../findings/finding.ts";
import type { FrameLine } from "../publication.ts";

/** Readers take in a dozen lines at a glance; longer code is opened in an editor. */
const MAX_FRAME_LINES = 12;

/** Longer lines are cut: no terminal or page shows more of one without scrolling. */
const MAX_FRAME_LINE_CHARS = 200;

/** The frame of an anchor; only the anchor's own lines, as context, when no hunk contains it. */
export function composeFrame(file: ChangedFile, anchor: Anchor, contextLines = 2): FrameLine[] {
  for (const hunk of file.hunks) {
    const lines = walkHunk(hunk);
    const first = lines.findIndex((line) => isAnchored(line, anchor));
    if (first === -1) continue;
    const last = lines.findLastIndex((line) => isAnchored(line, anchor));
    const [from, to] = fitFrame(first, last, lines.length, contextLines);
    const frame = lines.slice(from, to).map((line) => ({
      kind: line.kind,
      line: lineOn(line, anchor.side),
      text: cutText(line.text),
      isAnchor: isAnchored(line, anchor),
    }));
    return trimBlankEdges(frame);
  }
  return anchor.lines.slice(0, MAX_FRAME_LINES).map((text, index) => ({
    kind: "context",
    line: anchor.startLine + index,
    text: cutText(text),
    isAnchor: true,
  }));
}

/** True when a hunk of the file shows the anchor's first line at its line number. */
export function showsAnchor(file: ChangedFile, anchor: Anchor): boolean {
  const [wanted] = anchor.lines;
  return file.hunks.some((hunk) =>
    walkHunk(hunk).some((line) => lineOn(line, anchor.side) === anchor.startLine && line.text === wanted),
  );
}

/** The line at the head that an anchor is shown on; see PublishedFinding.headLine. */
export function headLineOf(file: ChangedFile, anchor: Anchor): number | null {
  if (anchor.side === "new") return anchor.startLine;
  if (file.status === "deleted") return null;
  for (const hunk of file.hunks) {
    const lines = walkHunk(hunk);
    const first = lines.findIndex((line) => isAnchored(line, anchor));
    if (first !== -1) return nearestHeadLine(lines, first, hunk);
  }
  return null;
}

/** The replacement usually follows the removed code, so a line after it is preferred. */
function nearestHeadLine(lines: readonly DiffLine[], first: number, hunk: Hunk): number {
  const after = lines.slice(first).find((line) => line.newLine !== null);
  const before = lines.slice(0, first).findLast((line) => line.newLine !== null);
  return Math.max(1, after?.newLine ?? before?.newLine ?? hunk.newStart);
}

/** Blank context at the edges shows nothing. */
function trimBlankEdges(frame: readonly FrameLine[]): FrameLine[] {
  const isKept = (line: FrameLine): boolean => line.isAnchor || line.text.trim() !== "";
  return frame.slice(frame.findIndex(isKept), frame.findLastIndex(isKept) + 1);
}

/** [from, to) around first..last within the limit: context is cut before the finding's own lines. */
function fitFrame(first: number, last: number, length: number, contextLines: number): [number, number] {
  const room = MAX_FRAME_LINES - (last - first + 1);
  if (room <= 0) return [first, first + MAX_FRAME_LINES];
  const before = Math.min(contextLines, first, Math.ceil(room / 2));
  const after = Math.min(contextLines, length - 1 - last, room - before);
  return [first - before, last + 1 + after];
}

function isAnchored(line: DiffLine, anchor: Anchor): boolean {
  const number = lineOn(line, anchor.side);
  return number !== null && number >= anchor.startLine && number <= anchor.endLine;
}

function lineOn(line: DiffLine, side: Anchor["side"]): number | null {
  return side === "new" ? line.newLine : line.oldLine;
}

/** Never cuts a character in half. */
function cutText(text: string): string {
  if (text.length <= MAX_FRAME_LINE_CHARS) return text;
  const cut = text.slice(0, MAX_FRAME_LINE_CHARS - 1);
  const lastUnit = cut.charCodeAt(cut.length - 1);
  const isHalf = lastUnit >= 0xd800 && lastUnit <= 0xdbff;
  return `${isHalf ? cut.slice(0, -1) : cut}…`;
}
