/**
 * Applies written files to the trees of a commit. Only the trees on the way to the files are read, so the size of the
 * repository doesn't matter. A path must be free or have a regular file: nothing is written through or over a link, a
 * submodule, or a file that would have to become a folder.
 */
import { KodiaiError } from "../../../base/errors.ts";
import { printable } from "../../../base/printable.ts";
import { decodePath, encodePath } from "../../../review/change/decode-bytes.ts";
import type { WrittenFile } from "../../repository-writer.ts";
import { type GitObject, gitObject } from "./git-object.ts";
import { FOLDER_MODE, formatTree, parseTree, type TreeEntry } from "../tree-entries.ts";

/** Linux can't open a longer path, so a checkout would fail. */
const MAX_PATH_BYTES = 4_095;

const NEW_FILE_MODE = "100644";
const EXECUTABLE_MODE = "100755";

const ENTRY_WORDS: Readonly<Record<string, string>> = {
  [FOLDER_MODE]: "a folder",
  "120000": "a symbolic link",
  "160000": "a submodule",
};

export type EditedTree = {
  /** The id of the root. */
  readonly root: string;
  /** New blobs and trees. Some may already be stored. */
  readonly objects: readonly GitObject[];
  /** The folder of each new tree, for messages; "" for the root. */
  readonly folders: ReadonlyMap<string, string>;
};

/** The files to write below a folder, by the first part of their path. Names are latin1. */
type Edits = Map<string, WrittenFile | Edits>;

/** `readTree` returns the bytes of a tree as latin1. */
export async function editTrees(
  root: string,
  files: readonly WrittenFile[],
  readTree: (id: string) => Promise<string>,
): Promise<EditedTree> {
  const digits = root.length;
  const objects = new Map<string, GitObject>();
  const folders = new Map<string, string>();

  const add = (type: GitObject["type"], content: Uint8Array): string => {
    const object = gitObject(type, content, digits);
    objects.set(object.id, object);
    return object.id;
  };

  const editFolder = async (id: string | null, edits: Edits, folder: string): Promise<string | null> => {
    const entries = id === null ? new Map<string, TreeEntry>() : parseTree(await readTree(id), digits);
    if (entries === null) throw malformed();
    for (const [name, edit] of edits) {
      const entry = entries.get(name);
      const path = `${folder}${name}`;
      const next =
        edit instanceof Map
          ? folderEntry(await editFolder(folderIdOf(entry, path), edit, `${path}/`))
          : fileEntry(edit, entry, (content) => add("blob", content));
      if (next === null) entries.delete(name);
      else entries.set(name, next);
    }
    if (entries.size === 0 && folder !== "") return null;
    const tree = add("tree", formatTree(entries));
    folders.set(tree, decodePath(folder));
    return tree;
  };

  const edited = files.length === 0 ? root : await editFolder(root, groupFiles(files), "");
  return { root: edited ?? root, objects: [...objects.values()], folders };
}

function groupFiles(files: readonly WrittenFile[]): Edits {
  const root: Edits = new Map();
  for (const file of files) {
    const names = namesOf(file.path);
    const last = names.pop() ?? "";
    let edits = root;
    for (const name of names) {
      const below = edits.get(name) ?? new Map();
      if (!(below instanceof Map))
        throw refusedPath(file.path, "the change also has a file at a folder of this path");
      edits.set(name, below);
      edits = below;
    }
    if (edits.has(last)) throw refusedPath(file.path, "the change has this path twice, or as a folder too");
    edits.set(last, file);
  }
  return root;
}

/** Returns the parts of a path as latin1. Only paths that are decoded to the same text again are accepted. */
function namesOf(path: string): string[] {
  const latin1 = encodePath(path);
  if (decodePath(latin1) !== path) throw refusedPath(path, "the path isn't valid text");
  if (latin1.length > MAX_PATH_BYTES)
    throw refusedPath(path, `the path is longer than ${MAX_PATH_BYTES} bytes`);
  const names = latin1.split("/");
  if (latin1.includes("\0") || names.some((name) => name === "" || name === "." || name === ".."))
    throw refusedPath(path, "the path isn't relative to the root of the repository");
  return names;
}

/** Returns the id of the folder at an entry; null if there is none yet. `path` is latin1. */
function folderIdOf(entry: TreeEntry | undefined, path: string): string | null {
  if (entry === undefined) return null;
  if (entry.mode === FOLDER_MODE) return entry.id;
  throw refusedPath(decodePath(path), `${ENTRY_WORDS[entry.mode] ?? "a file"} is there, not a folder`);
}

function folderEntry(id: string | null): TreeEntry | null {
  return id === null ? null : { mode: FOLDER_MODE, id };
}

/** Null deletes the entry. */
function fileEntry(
  { path, content, isExecutable }: WrittenFile,
  entry: TreeEntry | undefined,
  addBlob: (content: Uint8Array) => string,
): TreeEntry | null {
  if (entry !== undefined && !entry.mode.startsWith("100"))
    throw refusedPath(path, `${ENTRY_WORDS[entry.mode] ?? "another kind of entry"} is there, not a file`);
  if (content !== null) {
    if (/[^\0-\xff]/.test(content)) throw new TypeError("contents must have one character per byte");
    const kept = entry?.mode ?? NEW_FILE_MODE;
    const mode = isExecutable === undefined ? kept : isExecutable ? EXECUTABLE_MODE : NEW_FILE_MODE;
    return { mode, id: addBlob(Buffer.from(content, "latin1")) };
  }
  if (entry === undefined) throw refusedPath(path, "there is no such file to delete");
  return null;
}

export function refusedPath(path: string, why: string): KodiaiError {
  return new KodiaiError("bad-payload", `can't write ${printable(path.slice(0, 200))}: ${why}`, {
    hint: "Kodiai writes only regular files, at paths that git accepts.",
  });
}

function malformed(): KodiaiError {
  return new KodiaiError("git", "a tree of the repository is malformed", {
    hint: "Run `git fsck` to check the repository.",
  });
}
