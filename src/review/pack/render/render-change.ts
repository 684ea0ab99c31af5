/** The parts of a pack about the change itself: what it is, its description, its files and its diff. */
import { printable } from "../../../base/printable.ts";
import type { Change, ChangedFile, Hunk } from "../../change/change.ts";
import type { PackReason } from "../context-pack.ts";
import { fencedBlock, type PackBlock, plainBlock, type ShownLines, shownPath } from "./block.ts";
import type { PackMask } from "./create-pack-mask.ts";

/** A longer description repeats what the diff shows. */
const MAX_DESCRIPTION_CHARS = 8_000;
/** More commits have no common subject. */
const MAX_COMMITS = 50;

/** Commit ids only: names of branches differ from clone to clone. */
export function renderChange({ base, head, files }: Change): PackBlock {
  const from = base === null ? "an empty repository" : `commit ${base}`;
  const to = head === null ? "uncommitted work" : `commit ${head}`;
  const added = files.reduce((sum, file) => sum + file.addedLines, 0);
  const removed = files.reduce((sum, file) => sum + file.removedLines, 0);
  return plainBlock(
    "Change",
    `From ${from} to ${to}. Files changed: ${files.length}. Lines added: ${added}, removed: ${removed}.`,
  );
}

export function renderDescription({ title, body, commits }: Change, mask: PackMask): PackBlock {
  const subjects = commits.slice(0, MAX_COMMITS).map(({ subject }) => `- ${printable(subject)}`);
  const more = commits.length > MAX_COMMITS ? [`- and ${commits.length - MAX_COMMITS} more commits`] : [];
  const parts = [
    printable(title),
    body.trim(),
    ...(commits.length > 1 ? [["Commits:", ...subjects, ...more].join("\n")] : []),
  ];
  const text = parts.filter((part) => part !== "").join("\n\n");
  const shown =
    text.length > MAX_DESCRIPTION_CHARS ? `${text.slice(0, MAX_DESCRIPTION_CHARS)}\n[… cut]` : text;
  return fencedBlock(1, "Description", { masked: mask(shown.toWellFormed()), language: "text" });
}

const STATUS_LETTERS: Readonly<Record<ChangedFile["status"], string>> = {
  added: "A",
  modified: "M",
  deleted: "D",
  renamed: "R",
  copied: "C",
  "type-changed": "T",
};

/** Every changed file is named, also one that is left out. */
export function renderChangedFiles(
  files: readonly { readonly file: ChangedFile; readonly reason: PackReason | null }[],
  mask: PackMask,
): PackBlock {
  const lines = files.map(({ file, reason }) => {
    const { status, addedLines, removedLines } = file;
    const left = reason === null ? "" : ` (${reason})`;
    return `${STATUS_LETTERS[status]} ${namesOf(file)} +${addedLines} -${removedLines}${left}`;
  });
  return fencedBlock(1, "Changed files", { masked: mask(lines.join("\n")), language: "text" });
}

export function renderPackedDiff(file: ChangedFile, mask: PackMask): PackBlock {
  const { text, masked } = mask(file.hunks.map(renderHunk).join("\n"));
  const block = fencedBlock(2, `Diff of ${namesOf(file)}`, {
    masked: { text: numberDiff(text), masked },
    language: "diff",
  });
  return { ...block, shown: file.hunks.flatMap((hunk) => linesOfHunk(file, hunk)) };
}

/** On both sides: an answer may cite a removed line. */
function linesOfHunk(
  { path, oldPath }: ChangedFile,
  { oldStart, newStart, lines }: Hunk,
): readonly ShownLines[] {
  const old = lines.filter((line) => !line.startsWith("+")).length;
  const now = lines.filter((line) => !line.startsWith("-")).length;
  return [
    { path: oldPath ?? path, startLine: oldStart, endLine: oldStart + old - 1 },
    { path, startLine: newStart, endLine: newStart + now - 1 },
  ];
}

function renderHunk({ oldStart, newStart, section, lines }: Hunk): string {
  const oldLines = lines.filter((line) => !line.startsWith("+")).length;
  const newLines = lines.filter((line) => !line.startsWith("-")).length;
  const header = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
  return [section === "" ? header : `${header} ${section}`, ...lines].join("\n");
}

const HUNK_HEADER = /^@@ -(?<old>\d+),\d+ \+(?<now>\d+),\d+ @@/;

/** A number after the sign of each line. It is added to the masked text: a number must not hide a secret from the detectors. */
function numberDiff(text: string): string {
  let old = 0;
  let now = 0;
  return text
    .split("\n")
    .map((line) => {
      const header = HUNK_HEADER.exec(line)?.groups;
      if (header !== undefined) {
        old = Number(header["old"]);
        now = Number(header["now"]);
        return line;
      }
      const sign = line.slice(0, 1);
      const number = sign === "-" ? old : now;
      if (sign !== "+") old++;
      if (sign !== "-") now++;
      return `${sign}${number} ${line.slice(1)}`;
    })
    .join("\n");
}

function namesOf({ path, oldPath }: ChangedFile): string {
  const isMoved = oldPath !== null && oldPath !== path;
  return isMoved ? `${shownPath(oldPath)} → ${shownPath(path)}` : shownPath(path);
}
