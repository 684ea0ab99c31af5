/** Creates the view of a changed file that rules check, and lays out its lines for a syntax tree. */
import type { FileAnalysis } from "../review/analysis/analysis.ts";
import type { ChangedFile } from "../review/change/change.ts";
import { addedLines, walkHunk } from "../review/change/walk-hunks.ts";
import type { FileView } from "./rule.ts";

/** Hunks beyond this line aren't laid out: a diff can claim any line number, and memory must not follow it. */
const MAX_LAID_OUT_LINES = 100_000;

export function viewFile(file: ChangedFile, analysis: Pick<FileAnalysis, "language" | "category">): FileView {
  const cut = new Set(file.cutLines);
  const all = addedLines(file);
  const added = cut.size === 0 ? all : all.filter(({ line }) => !cut.has(line));
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

/** The view with the beginnings of lines that were cut among the added lines. */
export function withCutLines(view: FileView): FileView {
  if (view.file.cutLines.length === 0) return view;
  const added = addedLines(view.file);
  return { ...view, added, addedText: added.map(({ text }) => text).join("\n") };
}

/** The view with the complete text of the file at the head. */
export function withText(view: FileView, text: string): FileView {
  return { ...view, lines: text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) };
}

/** The view with the hunks' lines at their numbers and empty lines between them. */
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

/** The text of a line on one side; null when no hunk shows it. */
export function lineText({ file, lines }: FileView, line: number, side: "new" | "old"): string | null {
  // The diff has only the beginning of a line that was cut, and findings quote the diff.
  if (side === "new" && lines !== null && !file.cutLines.includes(line)) return lines[line - 1] ?? null;
  const shown = shownLines.get(file) ?? indexLines(file);
  shownLines.set(file, shown);
  return shown[side].get(line) ?? null;
}

type ShownLines = Readonly<Record<"new" | "old", ReadonlyMap<number, string>>>;

/** Cached: a rule can match on each of ten thousand lines, and walking the hunks for each would take minutes. */
const shownLines = new WeakMap<ChangedFile, ShownLines>();

function indexLines({ hunks }: ChangedFile): ShownLines {
  const index = { new: new Map<number, string>(), old: new Map<number, string>() };
  for (const { newLine, oldLine, text } of hunks.flatMap((hunk) => walkHunk(hunk))) {
    if (newLine !== null && !index.new.has(newLine)) index.new.set(newLine, text);
    if (oldLine !== null && !index.old.has(oldLine)) index.old.set(oldLine, text);
  }
  return index;
}
