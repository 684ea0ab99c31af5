/**
 * Random histories of a pull request: what it looked like at each review, after pushes of all kinds. No two lines of a history have the
 * same text, so whether a line was in an earlier diff is certain.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Chance } from "./chance.ts";

export type TextFile = { readonly path: string; readonly mode: string; readonly lines: readonly string[] };

/** The files of a commit. The key stays with a file when its path changes. */
export type Files = ReadonlyMap<number, TextFile>;

/** Applies to any version of the files, like a patch. It leaves files alone that no longer have its lines. */
type Edit = (files: Files) => Files;

/** One review: the merge base and the head. */
export type Reviewed = {
  /** The folder of the history. */
  readonly name: string;
  readonly base: Files;
  readonly head: Files;
  /** The pushes since the review before. */
  readonly operations: readonly Operation[];
};

type Branch = { readonly base: Files; readonly commits: readonly (readonly Edit[])[] };

export const OPERATIONS = [
  "commit",
  "amend",
  "squash",
  "reorder",
  "rebase",
  "merge main",
  "revert",
  "rename",
  "rename with edits",
  "rename on main",
  "replace",
  "mode change",
  "force-push",
  "base branch changed",
  "merged upstream",
  "move",
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The most reviews that a history has. */
export const MAX_REVIEWS = 4;

/**
 * Draws a pull request with two to four reviews. The first operation of the second review is `operation`. All paths are in the folder
 * `name`, which is also in every line.
 */
export function drawHistory(chance: Chance, name: string, operation: Operation): readonly Reviewed[] {
  let count = 0;
  const newLines = (length: number): readonly string[] =>
    Array.from({ length }, () => `${name} line number ${++count};`);
  const newKey = (): number => ++count;
  const newFile = (length: number): TextFile => {
    const lines = newLines(length);
    return { path: `${name}/${chance.below(3)}/file-${newKey()}.ts`, mode: "100644", lines };
  };
  const main: Files = new Map(
    Array.from({ length: 2 + chance.below(4) }, () => [newKey(), newFile(12 + chance.below(50))]),
  );

  /** In half of the cases, one that isn't in the base, so that pushes change earlier changes. */
  const drawLine = (lines: readonly string[], base: Files): string => {
    const known = new Set([...base.values()].flatMap((file) => file.lines));
    const own = lines.filter((line) => !known.has(line));
    return chance.of(chance.below(2) === 0 && own.length > 0 ? own : lines) ?? "";
  };
  const drawEdit = (files: Files, base: Files): Edit => {
    const key = chance.of([...files.keys()]);
    const lines = files.get(key ?? 0)?.lines ?? [];
    if (key === undefined || chance.below(14) === 0) return addFile(newKey(), newFile(2 + chance.below(25)));
    if (chance.below(30) === 0) return deleteFile(key);
    const at = lines.indexOf(drawLine(lines, base));
    const removed = lines.slice(at, at + chance.below(4));
    const added = newLines(removed.length === 0 ? 1 + chance.below(5) : chance.below(5));
    return replaceLines(key, removed, { after: lines[at - 1] ?? null, added });
  };
  const drawEdits = (files: Files, base = files): readonly Edit[] => {
    const edits: Edit[] = [];
    for (let left = 1 + chance.below(4); left > 0; left--) edits.push(drawEdit(apply(files, edits), base));
    return edits;
  };
  const push = (branch: Branch, edits: readonly Edit[]): Branch => ({
    ...branch,
    commits: [...branch.commits, edits],
  });
  const rebase = (branch: Branch, edits: readonly Edit[]): Branch => ({
    ...branch,
    base: apply(branch.base, edits),
  });
  const withoutOne = <Item>(items: readonly Item[]): readonly Item[] => {
    const dropped = chance.below(items.length);
    return items.length === 1 ? items : items.filter((_, index) => index !== dropped);
  };
  const operate = (branch: Branch, kind: Operation): Branch => {
    const head = headOf(branch);
    const key = chance.of([...head.keys()]) ?? 0;
    const last = branch.commits.at(-1) ?? [];
    switch (kind) {
      case "commit":
        return push(branch, drawEdits(head, branch.base));
      case "amend": {
        const rest = { ...branch, commits: branch.commits.slice(0, -1) };
        const kept = chance.below(2) === 0 ? withoutOne(last) : last;
        return push(rest, [...kept, ...drawEdits(apply(headOf(rest), kept), branch.base)]);
      }
      case "squash":
        return { ...branch, commits: [branch.commits.flat()] };
      case "reorder":
        return { ...branch, commits: branch.commits.toReversed() };
      case "rebase":
      case "merge main":
        return rebase(branch, drawEdits(branch.base));
      case "revert":
        return { ...branch, commits: withoutOne(branch.commits) };
      case "rename":
        return push(branch, [renameFile(key, newFile(0).path)]);
      case "rename with edits":
        return push(branch, [renameFile(key, newFile(0).path), ...drawEdits(head, branch.base)]);
      case "rename on main":
        return rebase(branch, [renameFile(chance.of([...branch.base.keys()]) ?? 0, newFile(0).path)]);
      case "replace": {
        const path = head.get(key)?.path;
        if (path === undefined) return branch;
        const added = { ...newFile(2 + chance.below(20)), path };
        return push(branch, [renameFile(key, newFile(0).path), addFile(newKey(), added)]);
      }
      case "mode change":
        return push(branch, [changeMode(key)]);
      case "force-push":
        return { ...branch, commits: branch.commits.slice(0, Math.max(1, branch.commits.length - 1)) };
      case "base branch changed":
        return { ...branch, base: apply(main, drawEdits(main)) };
      case "merged upstream": {
        const [first = [], ...commits] = branch.commits;
        return { base: apply(branch.base, first), commits };
      }
      case "move": {
        const lines = head.get(key)?.lines ?? [];
        const from = lines.indexOf(drawLine(lines, branch.base));
        const block = lines.slice(from, from + 1 + chance.below(6));
        const target = chance.of([...head.keys()]) ?? 0;
        return push(branch, [
          moveLines(key, block, target, chance.of(head.get(target)?.lines ?? []) ?? null),
        ]);
      }
    }
  };

  let branch: Branch = { base: main, commits: [] };
  for (let left = 1 + chance.below(3); left > 0; left--) branch = operate(branch, "commit");
  const reviews: Reviewed[] = [{ name, base: branch.base, head: headOf(branch), operations: [] }];
  for (let left = 1 + chance.below(MAX_REVIEWS - 1); left > 0; left--) {
    const first = reviews.length === 1 ? operation : (chance.of(OPERATIONS) ?? operation);
    const operations = [
      first,
      ...Array.from({ length: chance.below(3) }, () => chance.of(OPERATIONS) ?? first),
    ];
    branch = operations.reduce(operate, branch);
    reviews.push({ name, base: branch.base, head: headOf(branch), operations });
  }
  return reviews;
}

function headOf({ base, commits }: Branch): Files {
  return apply(base, commits.flat());
}

function apply(files: Files, edits: readonly Edit[]): Files {
  return edits.reduce((edited, edit) => edit(edited), files);
}

function edited(files: Files, key: number, edit: (file: TextFile) => TextFile): Files {
  const file = files.get(key);
  return file === undefined ? files : new Map([...files, [key, edit(file)]]);
}

/** Paths stay unique: a file whose path is taken isn't added. */
function addFile(key: number, file: TextFile): Edit {
  return (files) => {
    const isTaken = files.has(key) || [...files.values()].some(({ path }) => path === file.path);
    return isTaken ? files : new Map([...files, [key, file]]);
  };
}

function deleteFile(key: number): Edit {
  return (files) => new Map([...files].filter(([each]) => each !== key));
}

function renameFile(key: number, path: string): Edit {
  return (files) => edited(files, key, (file) => ({ ...file, path }));
}

function changeMode(key: number): Edit {
  return (files) =>
    edited(files, key, (file) => ({ ...file, mode: file.mode === "100644" ? "100755" : "100644" }));
}

function replaceLines(
  key: number,
  removed: readonly string[],
  { after, added }: { readonly after: string | null; readonly added: readonly string[] },
): Edit {
  return (files) =>
    edited(files, key, (file) => {
      const kept = file.lines.filter((line) => !removed.includes(line));
      const at = after === null ? 0 : kept.indexOf(after) + 1;
      const isStale = (after !== null && at === 0) || added.some((line) => kept.includes(line));
      return { ...file, lines: isStale ? kept : kept.toSpliced(at, 0, ...added) };
    });
}

function moveLines(key: number, block: readonly string[], target: number, after: string | null): Edit {
  return (files) => {
    const here = files.get(key)?.lines ?? [];
    const isStale = !block.every((line) => here.includes(line)) || !files.has(target);
    if (isStale || (after !== null && block.includes(after))) return files;
    const there = replaceLines(target, [], { after, added: block });
    return there(replaceLines(key, block, { after: null, added: [] })(files));
  };
}

/** Writes commits with these files into a repository at once, and returns their ids. */
export function writeCommits(folder: string, commits: readonly (readonly TextFile[])[]): readonly string[] {
  const stream = commits.flatMap((files, index) => [
    `commit refs/heads/histories\nmark :${index + 1}\ncommitter Ada <ada@example.org> 0 +0000\n`,
    "data 0\ndeleteall\n",
    ...files.map(({ path, mode, lines }) => {
      const text = lines.map((line) => `${line}\n`).join("");
      return `M ${mode} inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
    }),
  ]);
  const marks = join(folder, "marks");
  execFileSync("git", ["fast-import", "--quiet", `--export-marks=${marks}`], {
    cwd: folder,
    input: stream.join(""),
  });
  const ids = new Map(
    Array.from(readFileSync(marks, "utf8").matchAll(/^:(\d+) (\w+)$/gm), ([, mark, id = ""]) => [
      Number(mark),
      id,
    ]),
  );
  return commits.map((_, index) => ids.get(index + 1) ?? "");
}
