/**
 * The hunks of one file, each line with its number on its own side: before the change for a removed line, after it for others. Models
 * don't have to count, and a second column would only cost tokens.
 */
import { count } from "../../base/count.ts";
import { type HunkScope, isHunkUnread } from "../change/scope.ts";
import type { ChangedFile, Hunk } from "../change/change.ts";
import { MAX_LINE_CHARS } from "../change/change-limits.ts";
import { type DiffLine, walkHunk } from "../change/walk-hunks.ts";
import type { Guard } from "../untrusted/guard.ts";
import { showPath } from "../untrusted/show-path.ts";
import { licenseLines } from "./license-lines.ts";

const MARKERS: Readonly<Record<DiffLine["kind"], string>> = { added: "+", removed: "-", context: " " };
const CUT_LINE = `(a line of more than ${MAX_LINE_CHARS} characters, not shown)`;

/** Every line of code begins with its number, so that code can't imitate the header of another file. */
export function renderFileDiff(
  file: ChangedFile,
  guard: Guard,
  { scopes = [], isAbbreviated = false }: FileLayout = {},
): string {
  return [headOf(file, isAbbreviated, guard), ...renderHunks(file, guard, scopes).flat()].join("\n");
}

type FileLayout = {
  /** One per hunk; none when nothing was read before. */
  readonly scopes?: readonly HunkScope[] | undefined;
  /** It is to be read less closely. */
  readonly isAbbreviated?: boolean;
};

/** The lines of each hunk. */
export function renderHunks(
  file: ChangedFile,
  guard: Guard,
  hunks: readonly HunkScope[] = [],
): readonly (readonly string[])[] {
  const cut = new Set(file.cutLines);
  const folded = licenseLines(file);
  const total = file.hunks.length;
  return file.hunks.map((hunk, index) => {
    // Models mark hunks by these numbers. A file with one hunk is read completely or not at all.
    const head = total === 1 ? "@@" : `@@ ${index + 1}/${total}`;
    return renderHunk(hunk, head, { cut, folded, guard, scope: hunks[index] });
  });
}

function headOf(
  { path, oldPath, status, newMode, oldMode }: ChangedFile,
  isAbbreviated: boolean,
  guard: Guard,
): string {
  const from = oldPath === null || oldPath === path ? "" : ` from ${showPath(oldPath, guard)}`;
  const mode =
    oldMode === null || newMode === null || oldMode === newMode ? "" : `, mode ${oldMode} to ${newMode}`;
  return `=== ${showPath(path, guard)} (${status}${from}${mode}${isAbbreviated ? ", abbreviated" : ""})`;
}

type Layout = {
  readonly cut: ReadonlySet<number>;
  /** How many lines at the top of a new file are its license. */
  readonly folded: number;
  readonly guard: Guard;
  /** Omitted: nothing of it was read before. */
  readonly scope: HunkScope | undefined;
};

/** Code that was read before is shown only around what is new. */
const CONTEXT_LINES = 8;

function renderHunk(hunk: Hunk, name: string, { cut, folded, guard, scope }: Layout): readonly string[] {
  const lines = walkHunk(hunk);
  // Guards all lines together, because a key and its mask span lines.
  const texts = guard.code(
    lines.map(({ text, newLine }) => (isCut(newLine, cut) ? CUT_LINE : text)).join("\n"),
  );
  const shown = texts.split("\n").map((text, index) => {
    const { kind, oldLine, newLine } = lines[index] ?? { kind: "context", oldLine: null, newLine: null };
    return `${newLine ?? oldLine ?? ""}${MARKERS[kind]}${text}`;
  });
  const section = hunk.section.trim();
  const head = section === "" ? name : `${name} ${guard.code(section)}`;
  if (scope === undefined || scope.readings.every((reading) => reading === null || reading.model === null))
    return folded === 0
      ? [head, ...shown]
      : [head, `(lines 1–${folded}: the license, not shown)`, ...shown.slice(folded)];
  return [`${head} (${describeReading(lines, scope)})`, ...aroundNew(shown, scope)];
}

/** "partly reviewed before; new: 12-14, 20 and removed lines". */
function describeReading(lines: readonly DiffLine[], scope: HunkScope): string {
  if (!isHunkUnread(scope)) return "reviewed before";
  const unread = lines.filter((_, index) => scope.readings[index]?.model === null);
  const ranges: { from: number; to: number }[] = [];
  for (const { newLine } of unread) {
    const last = ranges.at(-1);
    if (newLine === null) continue;
    if (last?.to === newLine - 1) last.to = newLine;
    else ranges.push({ from: newLine, to: newLine });
  }
  const numbers = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
  const removed = unread.some(({ newLine }) => newLine === null) ? ["removed lines"] : [];
  return `partly reviewed before; new: ${[...(numbers === "" ? [] : [numbers]), ...removed].join(" and ")}`;
}

/** Leaves out lines that were read before and are far from new ones. */
function aroundNew(shown: readonly string[], { readings }: HunkScope): readonly string[] {
  const unread = readings.flatMap((reading, index) =>
    reading !== null && reading.model === null ? [index] : [],
  );
  const near = unread.length === 0 ? [0] : unread;
  const isNear = new Set(
    near.flatMap((index) =>
      Array.from({ length: 2 * CONTEXT_LINES + 1 }, (_, step) => index - CONTEXT_LINES + step),
    ),
  );
  const lines: string[] = [];
  let left = 0;
  for (const [index, line] of [...shown, null].entries()) {
    if (line !== null && !isNear.has(index)) {
      left++;
      continue;
    }
    if (left > 0) lines.push(`(${count(left, "line")} reviewed before)`);
    left = 0;
    if (line !== null) lines.push(line);
  }
  return lines;
}

function isCut(line: number | null, cut: ReadonlySet<number>): boolean {
  return line !== null && cut.has(line);
}
