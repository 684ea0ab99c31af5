/** The diff of a pull request as GitHub shows it, computed by git with three lines of context, and the lines that accept comments. */
import { gitText, runGit } from "./git.ts";
import type { Side } from "./world.ts";

export type DiffLine = {
  readonly mark: " " | "+" | "-";
  readonly oldLine: number;
  readonly newLine: number;
  /** Line number after the first hunk header of the file, starting at 1. */
  readonly position: number;
  readonly text: string;
};

export type Hunk = { readonly header: string; readonly lines: readonly DiffLine[] };

export type FileDiff = {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: "added" | "removed" | "modified" | "renamed";
  readonly blob: string;
  readonly patch: string | null;
  readonly hunks: readonly Hunk[];
};

export type DiffPlace = { readonly hunk: Hunk; readonly index: number };

/** Undoes git's quoting of names with special characters. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\" };
  for (const [part] of name.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gsu)) {
    if (/^\\[0-7]{3}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8));
    else bytes.push(...Buffer.from(part.startsWith("\\") ? (escapes[part.slice(1)] ?? part.slice(1)) : part));
  }
  return Buffer.from(bytes).toString();
}

function parseHunks(patch: readonly string[]): readonly Hunk[] {
  const hunks: { header: string; lines: DiffLine[] }[] = [];
  let oldLine = 0;
  let newLine = 0;
  for (const [position, text] of patch.entries()) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (header !== null) {
      oldLine = Number(header[1]);
      newLine = Number(header[2]);
      hunks.push({ header: text, lines: [] });
      continue;
    }
    const mark = text[0];
    if (mark !== " " && mark !== "+" && mark !== "-") continue;
    hunks.at(-1)?.lines.push({ mark, oldLine, newLine, position, text });
    if (mark !== "+") oldLine++;
    if (mark !== "-") newLine++;
  }
  return hunks;
}

function parseFile(section: string): FileDiff {
  const lines = section.split("\n");
  const firstHunk = lines.findIndex((line) => line.startsWith("@@ "));
  const head = firstHunk === -1 ? lines : lines.slice(0, firstHunk);
  const patch = firstHunk === -1 ? [] : lines.slice(firstHunk);
  if (patch.at(-1) === "") patch.pop();
  const valueOf = (prefix: string): string | null =>
    head.find((line) => line.startsWith(prefix))?.slice(prefix.length) ?? null;
  const plain = (name: string | null): string | null => {
    // A tab ends names that contain spaces.
    const unquoted = name === null ? null : unquote(name.replace(/\t$/, ""));
    return unquoted === null || unquoted === "/dev/null" ? null : unquoted.slice(2);
  };
  // Without hunks (binary, mode, empty), both names are equal and only in the first line.
  const [, firstName = ""] = /^diff --git "?a\/(.*?)"? "?b\/\1"?$/s.exec(head[0] ?? "") ?? [];
  const renamedFrom = valueOf("rename from ");
  const renamedTo = valueOf("rename to ");
  const [, , newBlob = ""] = /^([0-9a-f]+)\.\.([0-9a-f]+)/.exec(valueOf("index ") ?? "") ?? [];
  const isRemoved = valueOf("deleted file mode ") !== null;
  const isAdded = valueOf("new file mode ") !== null;
  return {
    path:
      (renamedTo === null ? null : unquote(renamedTo)) ??
      plain(valueOf("+++ ")) ??
      plain(valueOf("--- ")) ??
      firstName,
    previousPath: renamedFrom === null ? null : unquote(renamedFrom),
    status: isRemoved ? "removed" : isAdded ? "added" : renamedFrom === null ? "modified" : "renamed",
    blob: newBlob,
    patch: patch.length === 0 ? null : patch.join("\n"),
    hunks: parseHunks(patch),
  };
}

export type Comparison = {
  readonly files: readonly FileDiff[];
  /** Commits that are in the head and not in the base. */
  readonly commits: readonly string[];
};

// The diff of two commits never changes, is the same in every repository, and is needed often, so it is cached. The number limits memory.
const MAX_REMEMBERED = 500;
const remembered = new Map<string, Promise<Comparison>>();

async function compare(directory: string, base: string, head: string): Promise<Comparison> {
  const options = [
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--full-index",
    "--unified=3",
    "--find-renames",
  ];
  const [diff, commits] = await Promise.all([
    // Three dots compare with the merge base.
    runGit(directory, ["diff", ...options, `${base}...${head}`, "--"]),
    gitText(directory, "rev-list", `${base}..${head}`),
  ]);
  const sections = `\n${diff.toString()}`.split("\ndiff --git ").slice(1);
  return {
    files: sections.map((section) => parseFile(`diff --git ${section}`)),
    commits: commits.split("\n").filter((line) => line !== ""),
  };
}

/** The diff of a pull request from `head` into `base`, which are commit ids. */
export function comparisonOf(directory: string, base: string, head: string): Promise<Comparison> {
  const key = `${base} ${head}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const compared = compare(directory, base, head);
  remembered.set(key, compared);
  // A failure isn't cached, because the next push may fix it.
  compared.catch(() => remembered.delete(key));
  return compared;
}

export async function diffOf(directory: string, base: string, head: string): Promise<readonly FileDiff[]> {
  return (await comparisonOf(directory, base, head)).files;
}

/** The old and new lines of each hunk between two versions of a file. */
type Shift = { readonly from: number; readonly removed: number; readonly added: number };

const shifts = new Map<string, Promise<readonly Shift[]>>();

async function shiftsOf(directory: string, { from, to, path }: Versions): Promise<readonly Shift[]> {
  const args = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--unified=0"];
  const diff = (await runGit(directory, [...args, from, to, "--", path])).toString();
  return [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/gm)].map(
    ([, start, removed = "1", added = "1"]) => ({
      from: Number(start),
      removed: Number(removed),
      added: Number(added),
    }),
  );
}

/** Two commits, and a file in both. */
export type Versions = { readonly from: string; readonly to: string; readonly path: string };

/** The number of an unchanged line in the later version; null if the line was changed or removed. */
export async function lineAfter(directory: string, versions: Versions, line: number): Promise<number | null> {
  if (versions.from === versions.to) return line;
  const key = JSON.stringify([directory, versions]);
  if (shifts.size >= MAX_REMEMBERED) shifts.clear();
  const known = shifts.get(key) ?? shiftsOf(directory, versions);
  shifts.set(key, known);
  known.catch(() => shifts.delete(key));
  let after = line;
  for (const { from, removed, added } of await known) {
    // A hunk that only adds is after the line it names.
    const end = removed === 0 ? from : from + removed - 1;
    if (line > end) after += added - removed;
    else if (removed > 0 && line >= from) return null;
  }
  return after;
}

/** The position of a line in the diff; null if it isn't part of it. */
export function placeInDiff(file: FileDiff, side: Side, line: number): DiffPlace | null {
  for (const hunk of file.hunks) {
    const index = hunk.lines.findIndex((each) =>
      side === "RIGHT"
        ? each.mark !== "-" && each.newLine === line
        : each.mark !== "+" && each.oldLine === line,
    );
    if (index !== -1) return { hunk, index };
  }
  return null;
}

export function placeAtPosition(file: FileDiff, position: number): DiffPlace | null {
  for (const hunk of file.hunks) {
    const index = hunk.lines.findIndex((each) => each.position === position);
    if (index !== -1) return { hunk, index };
  }
  return null;
}
