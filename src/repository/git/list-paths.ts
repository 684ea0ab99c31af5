/** Lists the paths of a revision, and finds the kind and the blob id of a path. */
import { untilAborted } from "../../base/until-aborted.ts";
import { decodePath } from "../../review/change/decode-bytes.ts";
import type { EntryKind, Revision } from "../repository.ts";
import type { WithDeadline } from "./deadline.ts";
import { listRecords } from "./list-records.ts";
import type { ObjectReader } from "./object-reader.ts";
import { commitOf } from "./revision-arguments.ts";
import { cancelled, type GitOptions, runGit } from "./run-git.ts";
import { FOLDER_MODE, followPath } from "./tree-entries.ts";

/** Listing 200,000 paths takes a second. */
const MAX_LISTING_SECONDS = 30;

/** Options of `ls-files` for files that are neither tracked nor ignored. */
export const OTHERS = ["--others", "--exclude-standard"];

/** Paths per command. Even the longest paths stay far below the system's limit for arguments. */
const MAX_PATHS_AT_ONCE = 100;

export function listPaths(
  revision: Revision,
  { maxPaths, folder }: { readonly maxPaths: number; readonly folder: string },
  git: GitOptions,
): Promise<readonly string[] | null> {
  const below = folder === "" ? [] : [`${folder}/`];
  const args =
    typeof revision === "string"
      ? ["ls-files", "--cached", "-z", ...(revision === "working-tree" ? OTHERS : []), "--", ...below]
      : ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "--", commitOf(revision), ...below];
  return listRecords(
    args,
    { max: maxPaths, parse: decodePath },
    { ...git, maxCpuSeconds: MAX_LISTING_SECONDS },
  );
}

/** `path` must stay inside the tree. */
export function findEntry(
  revision: Revision,
  path: string,
  { runInTime, objects }: { readonly runInTime: WithDeadline; readonly objects: ObjectReader },
): Promise<EntryKind | null> {
  return runInTime(async (git) => {
    if (typeof revision !== "string") return kindInCommit(commitOf(revision), path, { ...git, objects });
    const staged = await runGit(["ls-files", "--stage", "-z", "--", path], git);
    const kind = kindIn(staged, path);
    if (kind !== null || revision === "index") return kind;
    // Untracked files have no mode. A link among them is refused when it is opened.
    const others = await runGit(["ls-files", ...OTHERS, "-z", "--", path], git);
    return others === "" ? null : kindIn(`100644\t${others}`, path);
  });
}

/** Looks at the trees through the git that reads objects, which is faster than a git for each path. */
async function kindInCommit(
  commit: string,
  path: string,
  { objects, ...git }: GitOptions & { readonly objects: ObjectReader },
): Promise<EntryKind | null> {
  const { signal } = git;
  const following = followPath(commit, path, objects);
  const entry = await (signal === undefined ? following : untilAborted(following, signal)).catch(
    (error: unknown) => {
      throw signal?.aborted === true ? cancelled(error) : error;
    },
  );
  if (entry === "absent") return null;
  return entry === "unknown" ? kindInTree(commit, path, git) : kindOfMode(entry.mode);
}

/** Returns the ids of the regular files among the paths. */
export async function findBlobIds(
  revision: Exclude<Revision, "working-tree">,
  paths: readonly string[],
  git: GitOptions,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (let from = 0; from < paths.length; from += MAX_PATHS_AT_ONCE) {
    const some = paths.slice(from, from + MAX_PATHS_AT_ONCE);
    const args =
      revision === "index"
        ? ["ls-files", "--stage", "-z", "--", ...some]
        : ["ls-tree", "-z", "--full-tree", "--", commitOf(revision), ...some];
    for (const record of (await runGit(args, git)).split("\0")) {
      const [, id, path] = /^100\d{3} (?:blob )?([0-9a-f]{40,64})(?: 0)?\t([\s\S]+)$/.exec(record) ?? [];
      if (id !== undefined && path !== undefined) ids.set(decodePath(path), id);
    }
  }
  return ids;
}

async function kindInTree(commit: string, path: string, git: GitOptions): Promise<EntryKind | null> {
  return kindIn(await runGit(["ls-tree", "-z", "--full-tree", "--", commit, path], git), path);
}

/** Reads records such as `100644 …<tab>path`, of the path itself or of entries below it. */
function kindIn(listing: string, path: string): EntryKind | null {
  const [first = ""] = listing.split("\0", 1);
  const tab = first.indexOf("\t");
  if (tab === -1) return null;
  const found = decodePath(first.slice(tab + 1));
  if (found.startsWith(`${path}/`)) return "folder";
  return found === path ? kindOfMode(first.slice(0, 6)) : null;
}

function kindOfMode(mode: string): EntryKind {
  switch (mode) {
    case "040000":
    case FOLDER_MODE:
      return "folder";
    case "120000":
      return "symlink";
    case "160000":
      return "submodule";
    default:
      return "file";
  }
}
