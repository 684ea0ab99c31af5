/** The hunks of one file with the line numbers of both sides, so that models don't have to count. */
import type { ChangedFile, Hunk } from "../change/change.ts";
import { MAX_LINE_CHARS } from "../change/change-limits.ts";
import { numberWidth } from "../change/diff-size.ts";
import { type DiffLine, walkHunk } from "../change/walk-hunks.ts";
import type { Guard } from "../untrusted/guard.ts";
import { showPath } from "../untrusted/show-path.ts";

const MARKERS: Readonly<Record<DiffLine["kind"], string>> = { added: "+", removed: "-", context: " " };
const CUT_LINE = `(a line of more than ${MAX_LINE_CHARS} characters, not shown)`;

/** Every line of code begins with its numbers, so that code can't imitate the header of another file. */
export function renderFileDiff(file: ChangedFile, guard: Guard): string {
  const cut = new Set(file.cutLines);
  const width = numberWidth(file);
  return [headOf(file, guard), ...file.hunks.flatMap((hunk) => renderHunk(hunk, { cut, width, guard }))].join(
    "\n",
  );
}

function headOf({ path, oldPath, status, newMode, oldMode }: ChangedFile, guard: Guard): string {
  const from = oldPath === null || oldPath === path ? "" : ` from ${showPath(oldPath, guard)}`;
  const mode =
    oldMode === null || newMode === null || oldMode === newMode ? "" : `, mode ${oldMode} to ${newMode}`;
  return `=== ${showPath(path, guard)} (${status}${from}${mode})`;
}

type Layout = { readonly cut: ReadonlySet<number>; readonly width: number; readonly guard: Guard };

function renderHunk(hunk: Hunk, { cut, width, guard }: Layout): readonly string[] {
  const lines = [...walkHunk(hunk)];
  // Guards all lines together, because a key and its mask span lines.
  const texts = guard.code(
    lines.map(({ text, newLine }) => (isCut(newLine, cut) ? CUT_LINE : text)).join("\n"),
  );
  const shown = texts.split("\n").map((text, index) => {
    const { kind, oldLine, newLine } = lines[index] ?? { kind: "context", oldLine: null, newLine: null };
    return `${pad(oldLine, width)} ${pad(newLine, width)} |${MARKERS[kind]}${text}`;
  });
  const section = hunk.section.trim();
  return [section === "" ? "@@" : `@@ ${guard.code(section)}`, ...shown];
}

function isCut(line: number | null, cut: ReadonlySet<number>): boolean {
  return line !== null && cut.has(line);
}

function pad(line: number | null, width: number): string {
  return (line === null ? "" : String(line)).padStart(width);
}
