/** Resolves the paths that a model names to files, or to an answer that explains why there is none. */
import type { EntryKind, Deadline, Repository, Revision } from "../repository/repository.ts";
import type { ChangedFile } from "../review/change/change.ts";
import { decodeBytes } from "../review/change/decode-bytes.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import { showPath } from "../review/untrusted/show-path.ts";
import type { ReadContext, ToolResult } from "./tool.ts";

/** A model can split a request that takes git longer. */
const MAX_GIT_MS = 10_000;

/** No system accepts longer paths. */
export const MAX_PATH_CHARS = 4_096;

/** A larger file is data; reading a part of it would still mean reading from its beginning. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Like git: a file with a NUL byte near its beginning isn't text. */
export const BINARY_LOOKED_AT = 8_000;

export type TreeSide = "head" | "base";

export function deadlineOf({ signal }: Pick<ReadContext, "signal">): Deadline {
  return { maxMs: MAX_GIT_MS, signal };
}

export function refuse(text: string): ToolResult {
  return { text, isError: true };
}

/** The model's text, on one line and cut, to repeat in an answer. */
export function quoteBack(given: string): string {
  return JSON.stringify(given.slice(0, 200).toWellFormed());
}

export function notInRepository(given: string): ToolResult {
  return refuse(`${quoteBack(given)} isn't in the repository. Paths start at its root, such as "src/a.ts".`);
}

/** Ordinary paths, which can't be mistaken for a sentence of the answer. */
const PLAIN_PATH = /^[\w./@+~=,$()[\]{}#%&-]{1,200}$/;

/** In one answer; the rest is counted. */
const MAX_NAMES_CHARS = 8_000;

/** A path within an answer. A file name can contain a message to the model; such a name is fenced. */
export function namePath(path: string, guard: Guard): string {
  const shown = showPath(path, guard);
  return PLAIN_PATH.test(shown) ? shown : guard.fence("path", shown.slice(0, MAX_NAMES_CHARS));
}

/** The same for the first `maxNames` of some paths. */
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

export const ONLY_A_DIFF = refuse("Only the diff of this change is available. Use show_diff.");

/** The path as git stores it; null for a path that can't be in a repository. Restores characters that the guard escaped. */
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
  /** Without line endings. */
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
  if (revision === null) return refuse("There is no base: the whole change is new.");
  const wanted = treePath(given, guard);
  if (wanted === null) return notInRepository(given);
  const path = side === "base" ? (changedFile(given, context)?.oldPath ?? wanted) : wanted;
  const kind = await repository.findEntry(revision, path, deadlineOf(context));
  if (kind !== "file") return describeKind(kind, given, side);
  const latin1 = (await repository.readFiles(revision, [path], MAX_FILE_BYTES)).get(path);
  const name = namePath(path, guard);
  if (latin1 === undefined)
    return refuse(`${name} can't be read at the ${side}: it's missing, not a file, or larger than 8 MB.`);
  if (latin1.slice(0, BINARY_LOOKED_AT).includes("\0"))
    return { text: `${name} is a binary file of ${latin1.length} bytes: there are no lines to show.` };
  return { path, repository, revision, lines: splitLines(decodeBytes(latin1)) };
}

function describeKind(kind: EntryKind | null, given: string, side: TreeSide): ToolResult {
  const name = quoteBack(given);
  switch (kind) {
    case "folder":
      return refuse(`${name} is a folder. Use list_files.`);
    case "symlink":
      return refuse(`${name} is a symbolic link, and links aren't followed.`);
    case "submodule":
      return refuse(`${name} is a submodule; its files aren't in the repository.`);
    default:
      return side === "base"
        ? refuse(`${name} isn't in the repository at the base. It may be new: read it at the head.`)
        : notInRepository(given);
  }
}

export function splitLines(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return text.endsWith("\n") ? lines.slice(0, -1) : lines;
}
