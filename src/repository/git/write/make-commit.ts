/**
 * Makes a commit out of git objects. The blobs, the changed trees and the commit are computed here and given to git as one
 * pack, which `git unpack-objects --strict` checks as it checks fetched objects and stores. That needs no index and no work
 * tree, so no filter, attribute or hook is involved, other entries keep their exact modes, and the cost depends on the edited
 * folders only. The pack comes over standard input. After a failure, unused objects may remain, which is harmless.
 */
import { KodiaiError } from "../../../base/errors.ts";
import { printable } from "../../../base/printable.ts";
import type { NewCommit, WrittenCommit } from "../../repository-writer.ts";
import { diskFailure } from "../cache/disk-failure.ts";
import { createObjectReader } from "../object-reader.ts";
import { isFullId } from "../refs.ts";
import { type GitExit, type GitOptions, gitFailure, tryGit } from "../run-git.ts";
import { type EditedTree, editTrees, refusedPath } from "./edit-trees.ts";
import { gitObject, packObjects } from "./git-object.ts";
import { readTreeChanges } from "./read-tree-changes.ts";

/** Checking a folder of 100,000 files takes a second. */
const MAX_CPU_SECONDS = 60;

/** A folder of a million files. */
const MAX_TREE_BYTES = 64 * 1024 * 1024;

const UNPACK = ["unpack-objects", "-q", "--strict"];

export async function makeCommit(request: NewCommit, options: GitOptions): Promise<WrittenCommit> {
  const git = { ...options, maxCpuSeconds: MAX_CPU_SECONDS };
  const { parent } = request;
  if (!isFullId(parent)) throw new TypeError("a commit needs the full id of its parent");
  const edited = await readAndEdit(request, git);
  const commit = gitObject("commit", formatCommit(request, edited.root), parent.length);
  const pack = packObjects([...edited.objects, commit], parent.length);
  // Written to the disk before they get their names: an empty object after a power failure would pass for the real one.
  const settings = ["core.fsync=loose-object"];
  const exit = await tryGit(UNPACK, { ...git, settings, input: pack });
  if (exit.code !== 0) throw await unpackFailure(exit, edited, git);
  return { commit: commit.id, changes: await readTreeChanges(parent, commit.id, git) };
}

async function readAndEdit({ parent, files }: NewCommit, git: GitOptions): Promise<EditedTree> {
  const objects = createObjectReader(git);
  try {
    const root = await objects.readInfo(`${parent}^{tree}`);
    if (root === null) {
      throw new KodiaiError("unknown-ref", `commit ${parent} isn't in the local copy`, {
        hint: "Fetch the repository first.",
      });
    }
    return await editTrees(root.id, files, async (id) => {
      const tree = await objects.read(id, MAX_TREE_BYTES, "tree");
      if (tree !== null) return tree;
      throw new KodiaiError("too-large", `tree ${id} is missing or too large`, {
        hint: "Run `git fsck` to check the repository.",
      });
    });
  } finally {
    objects.close();
  }
}

/** Git rejects dates before 1970, and names and messages that could be read as other fields. The first commit has no parent. */
export function formatCommit(
  { parent, message, author, at }: Omit<NewCommit, "parent" | "files"> & { readonly parent: string | null },
  tree: string,
): Uint8Array {
  const seconds = Math.floor(at / 1_000);
  const identity = `${author.name} <${author.email}>`;
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new TypeError("a commit needs a time after 1970");
  if (!/^[^\0-\x1f\x7f<>]+ <[^\0-\x20\x7f<>]+>$/.test(identity))
    throw new TypeError("an author needs a name and an address on one line");
  if (message.trim() === "" || message.includes("\0")) throw new TypeError("a commit needs a message");
  const signed = `${identity} ${seconds} +0000`;
  const parents = parent === null ? [] : [`parent ${parent}`];
  const lines = [`tree ${tree}`, ...parents, `author ${signed}`, `committer ${signed}`, "", message];
  return Buffer.from(lines.join("\n") + (message.endsWith("\n") ? "" : "\n"), "utf8");
}

/** Names the folder of a tree that git's check rejects, for example because of a file named `.git`. */
async function unpackFailure(
  exit: GitExit,
  { folders }: EditedTree,
  { cwd }: GitOptions,
): Promise<KodiaiError> {
  const [, id = "", why = ""] = /^error: object ([0-9a-f]+): (.*)$/m.exec(exit.stderr) ?? [];
  if (id !== "")
    return refusedPath(folders.get(id) || "to the repository", `git refuses it (${printable(why)})`);
  const failure = gitFailure(UNPACK, exit);
  return (await diskFailure(failure, cwd)) ?? failure;
}
