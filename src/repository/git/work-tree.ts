/**
 * Reads files of a local work tree: only regular files up to a size limit, and never through links. Pull requests are never
 * checked out.
 */
import { addedFile, unreadFile } from "../../review/change/added-file.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import { decodePath, encodePath } from "../../review/change/decode-bytes.ts";
import { type GitOptions, runGit } from "./run-git.ts";

/** More untracked files than this are probably build output without an ignore rule. */
export const MAX_UNTRACKED_FILES = 1_000;

/** A larger untracked file is probably data. */
const MAX_UNTRACKED_BYTES = 1024 * 1024;

/** The text of a regular file, or why there is none. */
type DiskFile =
  | { readonly mode: string; readonly latin1: string }
  | { readonly mode: string; readonly unreadable: "too-large"; readonly bytes: number }
  | { readonly mode: string; readonly unreadable: "symlink" | "unreadable" };

/** Returns the path as bytes, because not every file name is valid text. */
export function diskPath(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(encodePath(path), "latin1")]);
}

/** Null if the file no longer exists. */
export async function readDiskFile(root: string, path: string, maxBytes: number): Promise<DiskFile | null> {
  const name = diskPath(root, path);
  // Importing node:fs would load everything it exports.
  const { constants, promises } = process.getBuiltinModule("node:fs");
  let handle;
  try {
    if (!(await isBelow(root, path))) return { mode: "120000", unreadable: "symlink" };
    handle = await promises.open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = await handle.stat();
    const mode = (stat.mode & 0o100) === 0 ? "100644" : "100755";
    if (!stat.isFile()) return { mode, unreadable: "unreadable" };
    if (stat.size > maxBytes) return { mode, unreadable: "too-large", bytes: stat.size };
    return { mode, latin1: await handle.readFile("latin1") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT") return null;
    return code === "ELOOP"
      ? { mode: "120000", unreadable: "symlink" }
      : { mode: "100644", unreadable: "unreadable" };
  } finally {
    await handle?.close();
  }
}

/** Checks that no folder on the path is a link, because O_NOFOLLOW covers only the last part. */
async function isBelow(root: string, path: string): Promise<boolean> {
  const end = path.lastIndexOf("/");
  if (end === -1) return true;
  const { realpath } = process.getBuiltinModule("node:fs").promises;
  const folder = Buffer.from(`/${encodePath(path.slice(0, end))}`, "latin1");
  const [top, found] = await Promise.all([
    realpath(Buffer.from(root), { encoding: "buffer" }),
    realpath(Buffer.concat([Buffer.from(root), folder]), { encoding: "buffer" }),
  ]);
  return found.equals(Buffer.concat([top, folder]));
}

export async function readDiskTexts(
  root: string,
  paths: readonly string[],
  maxBytes: number,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const file = await readDiskFile(root, path, maxBytes);
    if (file !== null && "latin1" in file) texts.set(path, file.latin1);
  }
  return texts;
}

export type WorkState = {
  /** Tracked files differ from the last commit. */
  readonly isDirty: boolean;
  /** Files that are neither tracked nor ignored, as added files; at most MAX_UNTRACKED_FILES. */
  readonly untracked: readonly ChangedFile[];
  readonly untrackedTotal: number;
};

export async function readWorkState(root: string, git: GitOptions): Promise<WorkState> {
  const options = [
    "--porcelain=v1",
    "-z",
    "--no-renames",
    "--untracked-files=all",
    "--ignore-submodules=dirty",
  ];
  const entries = (await runGit(["status", ...options], { ...git, cwd: root })).split("\0");
  const isUntracked = (entry: string): boolean => entry.startsWith("?? ");
  // A nested repository is listed as a folder.
  const paths = entries
    .filter((entry) => isUntracked(entry) && !entry.endsWith("/"))
    .map((entry) => entry.slice("?? ".length));
  const untracked: ChangedFile[] = [];
  for (const path of paths.slice(0, MAX_UNTRACKED_FILES).map(decodePath)) {
    const file = await readDiskFile(root, path, MAX_UNTRACKED_BYTES);
    if (file !== null)
      untracked.push("latin1" in file ? addedFile(path, file.mode, file.latin1) : unreadFile(path, file));
  }
  const isDirty = entries.some((entry) => entry !== "" && !isUntracked(entry));
  return { isDirty, untracked, untrackedTotal: paths.length };
}
