/** What a pull request changes, as GitHub shows it: computed by git with three lines of context, and where comments may stand. */
import { gitText, runGit } from "./git.ts";
import type { Side } from "./world.ts";

export type DiffLine = {
  readonly mark: " " | "+" | "-";
  readonly oldLine: number;
  readonly newLine: number;
  /** Lines below the first hunk header of the file; the line after it is 1. */
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
  // Without hunks (binary, mode, empty) both names are the same and stand in the first line only.
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
  /** Commits that the head has and the base has not. */
  readonly commits: readonly string[];
};

// What lies between two commits never changes, and every look at a pull request asks for it; the number bounds memory.
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
    // Three dots: from where the head left the base.
    runGit(directory, ["diff", ...options, `${base}...${head}`, "--"]),
    gitText(directory, "rev-list", `${base}..${head}`),
  ]);
  const sections = `\n${diff.toString()}`.split("\ndiff --git ").slice(1);
  return {
    files: sections.map((section) => parseFile(`diff --git ${section}`)),
    commits: commits.split("\n").filter((line) => line !== ""),
  };
}

/** What a pull request from `head` into `base` shows; both are commit ids. */
export function comparisonOf(directory: string, base: string, head: string): Promise<Comparison> {
  const key = `${directory} ${base} ${head}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const compared = compare(directory, base, head);
  remembered.set(key, compared);
  // A failure may be mended by the next push.
  compared.catch(() => remembered.delete(key));
  return compared;
}

export async function diffOf(directory: string, base: string, head: string): Promise<readonly FileDiff[]> {
  return (await comparisonOf(directory, base, head)).files;
}

/** Where a line of one side is shown; null when it is not part of the diff. */
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
