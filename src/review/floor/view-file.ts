/** Makes the view of a changed file that rules look at, and lays out its lines for a syntax tree. */
import type { FileAnalysis } from "../analysis/analysis.ts";
import type { ChangedFile } from "../change/change.ts";
import { addedLines, walkHunk } from "../change/walk-hunks.ts";
import type { FileView } from "./rule.ts";

/** A hunk beyond this line is not laid out: a diff may claim any line number, memory may not follow it. */
const MAX_LAID_OUT_LINES = 100_000;

export function viewFile(file: ChangedFile, analysis: Pick<FileAnalysis, "language" | "category">): FileView {
  const cut = new Set(file.cutLines);
  const added = [...addedLines(file)].filter(({ line }) => !cut.has(line));
  return {
    path: file.path,
    file,
    language: analysis.language,
    category: analysis.category,
    added,
    addedText: added.map(({ text }) => text).join("\n"),
    lines: null,
  };
}

/** The same view with the whole text of the file at the head. */
export function withText(view: FileView, text: string): FileView {
  return { ...view, lines: text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) };
}

/** The same view with the hunks' lines at their numbers and nothing between them. */
export function withHunksLaidOut(view: FileView): FileView {
  const lines: string[] = [];
  for (const hunk of view.file.hunks) {
    for (const { newLine, text } of walkHunk(hunk)) {
      if (newLine === null || newLine > MAX_LAID_OUT_LINES) continue;
      while (lines.length < newLine - 1) lines.push("");
      lines[newLine - 1] = text;
    }
  }
  return { ...view, lines };
}

/** The text of a line on one side, as far as it is known; null when no hunk shows it. */
export function lineText(view: FileView, line: number, side: "new" | "old"): string | null {
  if (side === "new" && view.lines !== null) return view.lines[line - 1] ?? null;
  for (const hunk of view.file.hunks) {
    if ((side === "new" ? hunk.newStart : hunk.oldStart) > line) break;
    for (const diffLine of walkHunk(hunk)) {
      if ((side === "new" ? diffLine.newLine : diffLine.oldLine) === line) return diffLine.text;
    }
  }
  return null;
}
