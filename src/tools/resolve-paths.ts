/** Where tools look: paths that a model names, turned into what stands there, or into words that say why nothing does. */
import type { EntryKind, Deadline, Repository, Revision } from "../repository/repository.ts";
import type { ChangedFile } from "../review/change/change.ts";
import { decodeBytes } from "../review/change/decode-bytes.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import { showPath } from "../review/untrusted/show-path.ts";
import type { ReadContext, ToolResult } from "./tool.ts";

/** What takes git longer is asked for in smaller parts. */
const MAX_GIT_MS = 10_000;

/** No system takes longer ones. */
export const MAX_PATH_CHARS = 4_096;

/** A larger file is data; parts of it would still have to be read through from its beginning. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** As git does it: a file with a NUL byte near its beginning is not text. */
const BINARY_LOOKED_AT = 8_000;

export type TreeSide = "head" | "base";

export function deadlineOf({ signal }: Pick<ReadContext, "signal">): Deadline {
  return { maxMs: MAX_GIT_MS, signal };
}

export function refuse(text: string): ToolResult {
  return { text, isError: true };
}

/** What the model said, on one line and short enough to say back. */
export function sayBack(given: string): string {
  return JSON.stringify(given.slice(0, 200).toWellFormed());
}

export function notThere(given: string): ToolResult {
  return refuse(`${sayBack(given)} is not in the repository. Paths start at its root, such as "src/a.ts".`);
}

/** As paths are written everywhere: nothing that could be read as a sentence of ours. */
const PLAIN_PATH = /^[\w./@+~=,$()[\]{}#%&-]{1,200}$/;

/** Of one answer; the rest is a number. */
const MAX_NAMES_CHARS = 8_000;

/** A path within words of ours: whoever named the file may have written a message instead, which is then fenced. */
export function namePath(path: string, guard: Guard): string {
  const shown = showPath(path, guard);
  return PLAIN_PATH.test(shown) ? shown : guard.fence("path", shown.slice(0, MAX_NAMES_CHARS));
}

/** The first `maxNames` of some paths, likewise. */
export function namePaths(paths: readonly string[], guard: Guard, maxNames: number): string {
  const shown: string[] = [];
  let chars = 0;
  for (const path of paths.slice(0, maxNames).map((each) => showPath(each, guard))) {
    chars += path.length;
    if (chars > MAX_NAMES_CHARS) break;
    shown.push(path);
  }
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : "";
  const isPlain = shown.every((path) => PLAIN_PATH.test(path));
  return (isPlain ? shown.join(", ") : guard.fence("paths", shown.join("\n"))) + more;
}

export const ONLY_A_DIFF = refuse("Only the diff of this change is known here. Use show_diff.");

/** The path as git has it; null for what cannot be in a repository. `guard` turns back what it made visible. */
export function treePath(given: string, guard: Guard): string | null {
  const path = guard.reveal(given).replace(/^(?:\.\/)+/, "");
  if (path === "" || path.length > MAX_PATH_CHARS || path.includes("\0")) return null;
  const isOdd = (segment: string): boolean => /^(?:|\.|\.\.|\.git)$/i.test(segment);
  return path.split("/").some(isOdd) ? null : path;
}

/** The file of the change that a model means, by its new path or its old one. */
export function changedFile(given: string, { change, guard }: ReadContext): ChangedFile | null {
  const path = treePath(given, guard);
  if (path === null) return null;
  const { files } = change;
  return files.find((file) => file.path === path) ?? files.find((file) => file.oldPath === path) ?? null;
}

export type TextFile = {
  readonly path: string;
  readonly repository: Repository;
  readonly revision: Revision;
  /** Without line ends. */
  readonly lines: readonly string[];
};

export function isRefusal(found: TextFile | ToolResult): found is ToolResult {
  return "text" in found;
}

export async function openTextFile(
  given: string,
  side: TreeSide,
  context: ReadContext,
): Promise<TextFile | ToolResult> {
  const { repository, guard } = context;
  if (repository === null) return ONLY_A_DIFF;
  const revision = side === "head" ? context.head : context.base === null ? null : { commit: context.base };
  if (revision === null) return refuse("There is no base here: all of the change is new.");
  const wanted = treePath(given, guard);
  if (wanted === null) return notThere(given);
  const path = side === "base" ? (changedFile(given, context)?.oldPath ?? wanted) : wanted;
  const kind = await repository.findEntry(revision, path, deadlineOf(context));
  if (kind !== "file") return describeKind(kind, given, side);
  const latin1 = (await repository.readFiles(revision, [path], MAX_FILE_BYTES)).get(path);
  const name = namePath(path, guard);
  if (latin1 === undefined)
    return refuse(`${name} cannot be read at the ${side}: it is gone, not a file, or larger than 8 MB.`);
  if (latin1.slice(0, BINARY_LOOKED_AT).includes("\0"))
    return { text: `${name} is binary, ${latin1.length} bytes: there are no lines to show.` };
  return { path, repository, revision, lines: splitLines(decodeBytes(latin1)) };
}

function describeKind(kind: EntryKind | null, given: string, side: TreeSide): ToolResult {
  const name = sayBack(given);
  switch (kind) {
    case "folder":
      return refuse(`${name} is a folder. Use list_files.`);
    case "symlink":
      return refuse(`${name} is a symbolic link; links are not followed: not in the repository.`);
    case "submodule":
      return refuse(`${name} is a submodule; its files are not in the repository.`);
    default:
      return side === "base"
        ? refuse(`${name} is not in the repository at the base. It may be new: read it at the head.`)
        : notThere(given);
  }
}

function splitLines(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return text.endsWith("\n") ? lines.slice(0, -1) : lines;
}
