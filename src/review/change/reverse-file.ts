/** The change of a file backwards, so that a check of added lines can check the removed ones. */
import type { ChangedFile, Hunk } from "./change.ts";
import { walkHunk } from "./walk-hunks.ts";

const REVERSED: Readonly<Record<string, string>> = { "+": "-", "-": "+" };

/** The file as if the change were undone. Null when it has no removed lines or isn't readable on both sides. */
export function reverseFile(file: ChangedFile): ChangedFile | null {
  if (file.removedLines === 0 || file.oldPath === null || file.hunks.length === 0) return null;
  return {
    ...file,
    path: file.oldPath,
    oldPath: file.path,
    oldMode: file.newMode,
    newMode: file.oldMode,
    oldBlob: file.newBlob,
    newBlob: file.oldBlob,
    addedLines: file.removedLines,
    removedLines: file.addedLines,
    hunks: file.hunks.map(reverseHunk),
    cutLines: [],
  };
}

function reverseHunk({ oldStart, newStart, section, lines }: Hunk): Hunk {
  const swapped = lines.map((line) => `${REVERSED[line[0] ?? ""] ?? " "}${line.slice(1)}`);
  return { oldStart: newStart, newStart: oldStart, section, lines: swapped };
}

/** The text of the file before the change, from its text after it. */
export function textBefore({ hunks }: ChangedFile, after: string): string {
  const lines = after.split("\n");
  const before: string[] = [];
  let next = 1;
  for (const hunk of hunks) {
    // A hunk without lines on the new side starts after its line.
    const isOnlyRemoved = hunk.lines.every((line) => line.startsWith("-"));
    const start = hunk.newStart + (isOnlyRemoved ? 1 : 0);
    before.push(...lines.slice(next - 1, start - 1));
    next = start;
    for (const { kind, text } of walkHunk(hunk)) {
      if (kind !== "added") before.push(text);
      if (kind !== "removed") next++;
    }
  }
  return [...before, ...lines.slice(next - 1)].join("\n");
}
