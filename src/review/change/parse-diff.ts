/**
 * Parses unified diffs of git and `diff -u`, one chunk at a time, and keeps only what a review reads. The limits in
 * change-limits.ts bound the memory, not the size of the diff.
 *
 * The parser works on text in which each character is one byte (latin1), so paths and contents of any encoding survive.
 * Each file is decoded at its end. The parser never throws: text that isn't a diff yields no files.
 */
import type { ShareFile } from "./share-files.ts";
import type { ChangedFile, FileStatus, Hunk, Unreadable } from "./change.ts";
import { MAX_FILE_DIFF_LINES, MAX_LINE_CHARS } from "./change-limits.ts";
import { decodeBytes, decodePath, unquotePath } from "./decode-bytes.ts";

/** Kept bytes of one file's diff. Together with the line limit, it bounds a file with many long lines. */
const MAX_FILE_DIFF_BYTES = 2 * 1024 * 1024;

/**
 * Kept lines of all files together, so that many files below their own limits don't fill the memory: 500,000 lines take
 * about 150 MB. Later files are too large.
 */
const MAX_DIFF_LINES = 500_000;
const MAX_DIFF_BYTES = 64 * 1024 * 1024;

/** Matches only the pointer that Git LFS stores in place of a file. */
const LFS_POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-\d-\w+ sha256:[0-9a-f]{64}\n)*oid sha256:[0-9a-f]{64}\nsize \d+$/;

/** With ten extensions, the maximum of Git LFS. */
const MAX_POINTER_LINES = 13;

const HUNK_HEADER = /^@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@ ?(.*)$/;

type OpenHunk = {
  oldStart: number;
  newStart: number;
  section: string;
  lines: string[];
  oldLeft: number;
  newLeft: number;
};

type OpenFile = {
  oldPath: string | null;
  newPath: string | null;
  status: FileStatus;
  oldMode: string | null;
  newMode: string | null;
  oldBlob: string | null;
  newBlob: string | null;
  added: number;
  removed: number;
  bytes: number;
  hunks: OpenHunk[];
  cutLines: number[];
  isBinary: boolean;
  isTooLarge: boolean;
  /** Lines and bytes kept of all files so far. */
  kept: Kept;
};

type Kept = { lines: number; bytes: number };

export type DiffParser = {
  /** Adds the next chunk, in latin1. */
  push(chunk: string): void;
  /** Ends the input and returns the files in order. */
  end(): readonly ChangedFile[];
};

/** `share` may replace a file by an equal one, so that both don't take up memory. */
export function createDiffParser(share: ShareFile = (file) => file): DiffParser {
  const files: ChangedFile[] = [];
  const kept: Kept = { lines: 0, bytes: 0 };
  let rest = "";
  /** True while the rest of an over-long line is discarded. */
  let isSkippingLine = false;
  let file: OpenFile | null = null;
  let hunk: OpenHunk | null = null;

  const finishFile = (): void => {
    if (file !== null) files.push(share(closeFile(file)));
    file = null;
    hunk = null;
  };

  const startFile = (): OpenFile => {
    finishFile();
    file = newFile(kept);
    return file;
  };

  const takeLine = (line: string, isCut: boolean): void => {
    if (file !== null && hunk !== null && (hunk.oldLeft > 0 || hunk.newLeft > 0)) {
      if (takeHunkLine(file, hunk, line, isCut)) return;
      hunk = null;
    }
    if (line.startsWith("diff --git ")) {
      const open = startFile();
      [open.oldPath, open.newPath] = splitGitHeader(line.slice("diff --git ".length));
      return;
    }
    if (line.startsWith("--- ") && (file === null || file.hunks.length > 0)) {
      // A plain `diff -u` has no "diff --git" line: a new pair of names starts a new file.
      startFile();
    }
    if (file === null) return;
    const header = HUNK_HEADER.exec(line);
    if (header !== null) {
      hunk = openHunk(header);
      file.hunks.push(hunk);
    } else takeHeaderLine(file, line);
  };

  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
        const piece = chunk.slice(from, end);
        if (isSkippingLine) isSkippingLine = false;
        else takeLine(...cut(rest + piece));
        rest = "";
        from = end + 1;
      }
      if (isSkippingLine) return;
      rest += chunk.slice(from);
      if (rest.length > MAX_LINE_CHARS + 1) {
        takeLine(...cut(rest));
        rest = "";
        isSkippingLine = true;
      }
    },
    end() {
      if (rest !== "" && !isSkippingLine) takeLine(...cut(rest));
      finishFile();
      return files;
    },
  };
}

/** Parses a complete diff. `text` is latin1: one character per byte. */
export function parseDiff(text: string): readonly ChangedFile[] {
  const parser = createDiffParser();
  parser.push(text);
  return parser.end();
}

/** A character of several bytes at the end that the cut splits. */
const SPLIT_CHARACTER = /[\u00c0-\u00ff][\u0080-\u00bf]{0,3}$/;

function cut(line: string): [string, boolean] {
  if (line.length <= MAX_LINE_CHARS + 1) return [line, false];
  return [line.slice(0, MAX_LINE_CHARS + 1).replace(SPLIT_CHARACTER, ""), true];
}

function newFile(kept: Kept): OpenFile {
  return {
    oldPath: null,
    newPath: null,
    status: "modified",
    oldMode: null,
    newMode: null,
    oldBlob: null,
    newBlob: null,
    added: 0,
    removed: 0,
    bytes: 0,
    hunks: [],
    cutLines: [],
    isBinary: false,
    isTooLarge: false,
    kept,
  };
}

function openHunk(header: RegExpExecArray): OpenHunk {
  return {
    oldStart: Number(header[1]),
    newStart: Number(header[3]),
    section: header[5] ?? "",
    lines: [],
    oldLeft: Number(header[2] ?? "1"),
    newLeft: Number(header[4] ?? "1"),
  };
}

/** False when the line can't belong to the hunk, which then ends early. */
function takeHunkLine(file: OpenFile, hunk: OpenHunk, line: string, isCut: boolean): boolean {
  const marker = line[0];
  if (marker === "\\") return true;
  if (marker === "+") {
    if (isCut) file.cutLines.push(hunk.newStart + countNew(hunk));
    file.added++;
    hunk.newLeft--;
  } else if (marker === "-") {
    file.removed++;
    hunk.oldLeft--;
  } else if (marker === " " || line === "" || line === "\r") {
    // Some mailers and editors strip the space of an empty context line.
    hunk.oldLeft--;
    hunk.newLeft--;
  } else return false;
  keepLine(file, hunk, line === "" || line === "\r" ? ` ${line}` : line);
  return true;
}

function countNew(hunk: OpenHunk): number {
  let count = 0;
  for (const line of hunk.lines) if (line[0] !== "-") count++;
  return count;
}

function keepLine(file: OpenFile, hunk: OpenHunk, line: string): void {
  if (file.isBinary || file.isTooLarge) return;
  const { kept } = file;
  file.bytes += line.length;
  kept.bytes += line.length;
  kept.lines++;
  hunk.lines.push(line);
  if (line.includes("\0")) file.isBinary = true;
  else if (
    file.added + file.removed > MAX_FILE_DIFF_LINES ||
    file.bytes > MAX_FILE_DIFF_BYTES ||
    kept.lines > MAX_DIFF_LINES ||
    kept.bytes > MAX_DIFF_BYTES
  )
    file.isTooLarge = true;
  if (file.isBinary || file.isTooLarge) dropLines(file);
}

/** Also drops the lines kept so far: half a file is worse than a file that is reported as unread. */
function dropLines(file: OpenFile): void {
  file.kept.bytes -= file.bytes;
  for (const hunk of file.hunks) {
    file.kept.lines -= hunk.lines.length;
    hunk.lines = [];
  }
  file.cutLines = [];
}

function takeHeaderLine(file: OpenFile, line: string): void {
  const value = (prefix: string): string | null =>
    line.startsWith(prefix) ? line.slice(prefix.length) : null;
  const oldMode = value("old mode ") ?? value("deleted file mode ");
  const newMode = value("new mode ") ?? value("new file mode ");
  if (oldMode !== null) file.oldMode = oldMode.trim();
  if (newMode !== null) file.newMode = newMode.trim();
  if (line.startsWith("new file mode ")) file.status = "added";
  if (line.startsWith("deleted file mode ")) file.status = "deleted";
  const from = value("rename from ") ?? value("copy from ");
  const to = value("rename to ") ?? value("copy to ");
  if (from !== null) file.oldPath = unquotePath(from);
  if (to !== null) file.newPath = unquotePath(to);
  if (line.startsWith("rename ")) file.status = "renamed";
  if (line.startsWith("copy ")) file.status = "copied";
  const index = /^index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: (\d{6}))?/.exec(line);
  if (index !== null) takeIndexLine(file, index);
  const oldName = value("--- ");
  const newName = value("+++ ");
  if (oldName !== null) takeName(file, "old", oldName);
  if (newName !== null) takeName(file, "new", newName);
  if (/^(?:Binary files .* differ|GIT binary patch)$/.test(line.trimEnd())) file.isBinary = true;
}

function takeIndexLine(file: OpenFile, index: RegExpExecArray): void {
  const id = (text: string | undefined): string | null =>
    text === undefined || /^0+$/.test(text) ? null : text;
  file.oldBlob = id(index[1]);
  file.newBlob = id(index[2]);
  if (index[3] !== undefined) {
    file.oldMode = index[3];
    file.newMode = index[3];
  }
}

function takeName(file: OpenFile, side: "old" | "new", name: string): void {
  // `diff -u` puts a tab and a date after the name; git puts a tab after a name with a space.
  const path = unquotePath(name.split("\t")[0]?.trimEnd() ?? "");
  if (path === "/dev/null") {
    if (side === "old") file.status = "added";
    else file.status = "deleted";
  } else if (side === "old") file.oldPath ??= stripPrefix(path);
  else file.newPath ??= stripPrefix(path);
}

function stripPrefix(path: string): string {
  return /^[abciwo]\//.test(path) ? path.slice(2) : path;
}

/**
 * `a/x b/x` → both names. With spaces in an unrenamed path the two halves are equal; a rename's names come from its
 * own header lines.
 */
function splitGitHeader(text: string): [string | null, string | null] {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(text.trimEnd());
  if (quoted !== null)
    return [stripPrefix(unquotePath(quoted[1] ?? "")), stripPrefix(unquotePath(quoted[2] ?? ""))];
  const half = (text.length - 1) / 2;
  const left = text.slice(0, half);
  const right = text.slice(half + 1);
  return stripPrefix(left) === stripPrefix(right) ? [stripPrefix(left), stripPrefix(right)] : [null, null];
}

function closeFile(file: OpenFile): ChangedFile {
  const newPath = file.status === "deleted" ? null : (file.newPath ?? file.oldPath);
  const oldPath = file.status === "added" ? null : (file.oldPath ?? file.newPath);
  const unreadable = reasonUnreadable(file);
  const isText = unreadable === null || unreadable === "too-large" || unreadable === "lfs-pointer";
  return {
    path: decodePath(newPath ?? oldPath ?? ""),
    oldPath: oldPath === null ? null : decodePath(oldPath),
    status: file.status,
    oldMode: file.status === "added" ? null : file.oldMode,
    newMode: file.status === "deleted" ? null : (file.newMode ?? file.oldMode),
    oldBlob: file.oldBlob,
    newBlob: file.newBlob,
    addedLines: isText ? file.added : 0,
    removedLines: isText ? file.removed : 0,
    hunks: unreadable === null ? decodeHunks(file.hunks) : [],
    unreadable,
    cutLines: file.cutLines,
  };
}

function reasonUnreadable(file: OpenFile): Unreadable | null {
  const modes = [file.oldMode, file.newMode];
  if (modes.includes("160000")) return "submodule";
  if (file.newMode === "120000") return "symlink";
  if (file.isBinary) return "binary";
  if (file.isTooLarge) return "too-large";
  if (file.hunks.length === 0 && file.status === "modified" && file.oldMode !== file.newMode)
    return "mode-only";
  return isLfsPointer(file) ? "lfs-pointer" : null;
}

/** A pointer has three lines or a few more, so one hunk shows all of it. */
function isLfsPointer({ hunks: [hunk, ...others] }: OpenFile): boolean {
  if (hunk === undefined || others.length > 0 || hunk.newStart !== 1) return false;
  const lines = hunk.lines.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
  return lines.length <= MAX_POINTER_LINES && LFS_POINTER.test(lines.join("\n"));
}

function decodeHunks(hunks: readonly OpenHunk[]): readonly Hunk[] {
  return hunks.map((hunk) => ({
    oldStart: hunk.oldStart,
    newStart: hunk.newStart,
    section: decodeBytes(hunk.section),
    lines: hunk.lines.map(decodeBytes),
  }));
}
