/**
 * Reads files of the work tree: regular files only, links never followed, sizes bounded. For the working tree of a local
 * repository; a pull request is never checked out.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { addedFile } from "../../review/change/added-file.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import { decodePath, encodePath } from "../../review/change/decode-bytes.ts";
import { type GitOptions, runGit } from "./run-git.ts";

/** More untracked files than this are build output that lacks an ignore rule, not a change. */
export const MAX_UNTRACKED_FILES = 1_000;

/** A larger file that nobody added yet is data. */
const MAX_UNTRACKED_BYTES = 1024 * 1024;

type DiskFile = { readonly latin1: string | null; readonly mode: string };

/** Null when it is missing, not a regular file, or not readable; `latin1` is null when it is over the limit. */
async function readDiskFile(root: string, path: string, maxBytes: number): Promise<DiskFile | null> {
  const name = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(encodePath(path), "latin1")]);
  let handle;
  try {
    handle = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (!stat.isFile()) return null;
    const mode = (stat.mode & 0o100) === 0 ? "100644" : "100755";
    return { mode, latin1: stat.size > maxBytes ? null : await handle.readFile("latin1") };
  } catch {
    return null;
  } finally {
    await handle?.close();
  }
}

export async function readDiskTexts(
  root: string,
  paths: readonly string[],
  maxBytes: number,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const file = await readDiskFile(root, path, maxBytes);
    if (file !== null && file.latin1 !== null) texts.set(path, file.latin1);
  }
  return texts;
}

export type Untracked = { readonly files: readonly ChangedFile[]; readonly total: number };

/** Files git does not track and does not ignore, as added files. */
export async function readUntracked(root: string, git: GitOptions): Promise<Untracked> {
  const listing = await runGit(["ls-files", "--others", "--exclude-standard", "-z"], { ...git, cwd: root });
  // A nested repository is listed as a folder.
  const paths = listing.split("\0").filter((path) => path !== "" && !path.endsWith("/"));
  const files: ChangedFile[] = [];
  for (const path of paths.slice(0, MAX_UNTRACKED_FILES).map(decodePath)) {
    const file = await readDiskFile(root, path, MAX_UNTRACKED_BYTES);
    if (file !== null) files.push(addedFile(path, file.mode, file.latin1));
  }
  return { files, total: paths.length };
}
