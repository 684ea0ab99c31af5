/**
 * Lists the regular files of a revision with the ids and sizes of their contents. Files on disk that git knows to be
 * unchanged keep the id of the index; only the others are read and hashed.
 */
import { blobIdOf } from "../../base/blob-id.ts";
import { decodePath } from "../../review/change/decode-bytes.ts";
import type { Revision, TreeFile } from "../repository.ts";
import type { WithDeadline } from "./deadline.ts";
import { OTHERS } from "./list-paths.ts";
import { listRecords } from "./list-records.ts";
import { readSizes } from "./read-sizes.ts";
import { commitOf } from "./revision-arguments.ts";
import { type GitOptions, runGit } from "./run-git.ts";
import { readDiskFile } from "./work-tree.ts";

/** A larger file on disk is data that no review reads, and hashing it would take seconds. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;

/** The path is latin1, so that paths sort by their bytes. */
type Entry = { readonly path: string; readonly blob: string };

export function listTreeFiles(
  revision: Revision,
  { maxFiles, root }: { readonly maxFiles: number; readonly root: string | null },
  runInTime: WithDeadline,
): Promise<readonly TreeFile[] | null> {
  if (revision === "working-tree" && root === null) return Promise.resolve([]);
  return runInTime(async (git) => {
    if (revision !== "working-tree" || root === null) {
      const entries = await listEntries(revision, maxFiles, git);
      return entries === null ? null : [...(await withSizes(entries, git)).values()];
    }
    return listDiskFiles(root, maxFiles, git);
  });
}

async function listEntries(
  revision: Revision,
  maxFiles: number,
  git: GitOptions,
): Promise<readonly Entry[] | null> {
  const args =
    typeof revision === "string"
      ? ["ls-files", "--stage", "-z"]
      : ["ls-tree", "-r", "-z", "--full-tree", "--", commitOf(revision)];
  return listRecords(args, { max: maxFiles, parse: parseEntry }, git);
}

/** Reads `100644 blob ID<tab>path` and `100644 ID 0<tab>path`. Null for other modes, and for the sides of a conflict. */
function parseEntry(record: string): Entry | null {
  const tab = record.indexOf("\t");
  const [mode = "", first = "", second = ""] = record.slice(0, tab).split(" ");
  const blob = first === "blob" ? second : second === "0" ? first : "";
  return mode.startsWith("100") && blob !== "" ? { path: record.slice(tab + 1), blob } : null;
}

async function withSizes(entries: readonly Entry[], git: GitOptions): Promise<Map<string, TreeFile>> {
  const sizes = await readSizes(new Set(entries.map(({ blob }) => blob)), git);
  return new Map(
    entries.map(({ path, blob }) => [path, { path: decodePath(path), blob, bytes: sizes.get(blob) ?? 0 }]),
  );
}

async function listDiskFiles(
  root: string,
  maxFiles: number,
  git: GitOptions,
): Promise<readonly TreeFile[] | null> {
  const [entries, changed, untracked] = await Promise.all([
    listEntries("index", maxFiles, git),
    listChanged(git),
    listRecords(["ls-files", "-z", ...OTHERS], { max: maxFiles, parse: (path) => path }, git),
  ]);
  if (entries === null || untracked === null) return null;
  const files = await withSizes(
    entries.filter(({ path }) => !changed.has(path)),
    git,
  );
  const digits = await idDigits(entries, git);
  for (const path of [...changed, ...untracked]) {
    git.signal?.throwIfAborted();
    const file = await readTreeFile(root, decodePath(path), digits);
    if (file !== null) files.set(path, file);
  }
  if (files.size > maxFiles) return null;
  const paths = [...files.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  return paths.flatMap((path) => files.get(path) ?? []);
}

/** Returns tracked paths whose files may differ from the index, including deleted ones. */
async function listChanged(git: GitOptions): Promise<ReadonlySet<string>> {
  const listing = await runGit(["diff-files", "-z", "--name-only", "--ignore-submodules=all"], git);
  return new Set(listing.split("\0").filter((path) => path !== ""));
}

/** Null for a file that is gone, not regular or not readable. */
async function readTreeFile(root: string, path: string, digits: number): Promise<TreeFile | null> {
  const file = await readDiskFile(root, path, MAX_HASHED_BYTES);
  if (file === null) return null;
  if ("latin1" in file) return { path, blob: blobIdOf(file.latin1, digits), bytes: file.latin1.length };
  return file.unreadable === "too-large" ? { path, blob: "0".repeat(digits), bytes: file.bytes } : null;
}

async function idDigits([first]: readonly Entry[], git: GitOptions): Promise<number> {
  if (first !== undefined) return first.blob.length;
  const format = await runGit(["rev-parse", "--show-object-format"], git);
  return format.trim() === "sha256" ? 64 : 40;
}
