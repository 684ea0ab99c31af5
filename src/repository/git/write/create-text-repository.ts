/**
 * Makes a bare repository out of texts: a base on the branch main, and commits on top of it. Author and dates are fixed. No work tree, template, hook or setting of the user is involved, and git checks every object.
 */
import { mkdir } from "node:fs/promises";
import type { TextRepository } from "../../local-repositories.ts";
import type { WrittenFile } from "../../repository-writer.ts";
import { type GitOptions, runGit } from "../run-git.ts";
import { editTrees } from "./edit-trees.ts";
import { type GitObject, gitObject, packObjects } from "./git-object.ts";
import { formatCommit } from "./make-commit.ts";

type Texts = Readonly<Record<string, string | null>>;

const AUTHOR = { name: "Kodiai", email: "kodiai@example.org" };

/** 2026-01-01. */
const AT_MS = 1_767_225_600_000;

const SHA1_DIGITS = 40;

/** The largest repository of texts is a few hundred megabytes. */
const MAX_CPU_SECONDS = 60;

export async function createTextRepository(
  base: Readonly<Record<string, string>>,
  options: GitOptions,
): Promise<TextRepository> {
  const git: GitOptions = { ...options, maxCpuSeconds: MAX_CPU_SECONDS };
  await mkdir(git.cwd, { recursive: true, mode: 0o700 });
  await runGit(["init", "--quiet", "--bare", "--template=", "--initial-branch=main"], git);
  const empty = gitObject("tree", new Uint8Array(), SHA1_DIGITS);
  const trees = new Map([[empty.id, ""]]);

  const add = async (root: string, files: Texts, message: string, parent: string | null) => {
    const edited = await editTrees(
      root,
      Object.entries(files).map(writtenFile),
      async (id) => trees.get(id) ?? "",
    );
    const signed = { parent, message, author: AUTHOR, at: AT_MS };
    const commit = gitObject("commit", formatCommit(signed, edited.root), SHA1_DIGITS);
    const objects: GitObject[] = [...edited.objects, ...(edited.root === empty.id ? [empty] : []), commit];
    await runGit(["unpack-objects", "-q", "--strict"], { ...git, input: packObjects(objects, SHA1_DIGITS) });
    return { id: commit.id, root: edited.root, objects };
  };

  const first = await add(empty.id, base, "Base", null);
  // Later commits read the trees of the base only.
  for (const { id, type, content } of first.objects)
    if (type === "tree") trees.set(id, Buffer.from(content).toString("latin1"));
  await runGit(["update-ref", "refs/heads/main", first.id], git);
  return {
    base: first.id,
    async commit(changes, message) {
      const { id } = await add(first.root, changes, message, first.id);
      return id;
    },
  };
}

function writtenFile([path, text]: readonly [string, string | null]): WrittenFile {
  return { path, content: text === null ? null : Buffer.from(text, "utf8").toString("latin1") };
}
