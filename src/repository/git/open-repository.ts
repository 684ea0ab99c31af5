/** Opens the repository that a folder belongs to, bare or with a work tree. */
import { encodePath } from "../../review/change/decode-bytes.ts";
import type { Repository, Revision } from "../repository.ts";
import { findRepository, type FoundRepository } from "./find-repository.ts";
import { findBlobIds, findEntry, listPaths } from "./list-paths.ts";
import { createObjectReader, type ObjectReader } from "./object-reader.ts";
import { withDeadline } from "./deadline.ts";
import { type GitContext, readChange } from "./read-change.ts";
import { readDiskTexts } from "./work-tree.ts";

export async function openRepository(
  folder: string,
  environment: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Repository> {
  return openFound(await findRepository({ cwd: folder, environment, signal }));
}

/** Opens a repository about which everything is known. */
export function openFound({
  root,
  isShallow,
  isUnborn,
  gitFolder,
  head,
  upstream,
  ...found
}: FoundRepository): Repository {
  const location = found.git;
  const branch = head.startsWith("refs/heads/") ? head.slice("refs/heads/".length) : null;
  const objects = createObjectReader(location);
  const context: GitContext = {
    ...location,
    root,
    isShallow,
    isUnborn,
    branch,
    remote: /^refs\/remotes\/([^/]+)\//.exec(upstream)?.[1] ?? null,
    objects,
    filters: found.filters,
  };

  return {
    root,
    isShallow,
    checkout: root === null || branch === null ? null : { branch, gitFolder },
    readChange: (request, onWaiting) => readChange(request, { ...context, onWaiting }),
    readFiles: (revision, wanted, maxBytes) =>
      readFiles(revision, { paths: wanted.filter(isTreePath), maxBytes }, context),
    readBlobs: (ids, maxBytes) => readAll(objects, ids, maxBytes, (id) => id),
    listPaths: (revision, maxPaths, folder = "") => listPaths(revision, { maxPaths, folder }, context),
    findEntry: async (revision, path, deadline) =>
      isTreePath(path)
        ? findEntry(revision, path, { runInTime: withDeadline(deadline, context), objects })
        : null,
    // Only models and packs use these, so they are loaded on demand.
    async listFiles(revision, maxFiles, deadline) {
      const { listTreeFiles } = await import("./list-tree-files.ts");
      return listTreeFiles(revision, { maxFiles, root }, withDeadline(deadline, context));
    },
    async readCoChanges(commit, options) {
      const { readCoChanges } = await import("./read-co-changes.ts");
      return readCoChanges(commit, options, withDeadline(options, context));
    },
    async search(revision, wanted, deadline) {
      const { search } = await import("./search.ts");
      return search(revision, wanted, { ...deadline, git: context });
    },
    async readHistory(revision, path, options) {
      const { readHistory } = await import("./read-history.ts");
      return readHistory(revision, { path, ...options }, withDeadline(options, context));
    },
    async readBlame(revision, path, options) {
      const { readBlame } = await import("./read-blame.ts");
      return readBlame(revision, { path, ...options }, withDeadline(options, context));
    },
    close: () => objects.close(),
  } satisfies Repository;
}

type WantedFiles = { readonly paths: readonly string[]; readonly maxBytes: number };

async function readFiles(
  revision: Revision,
  { paths, maxBytes }: WantedFiles,
  git: GitContext,
): Promise<ReadonlyMap<string, string>> {
  if (revision === "working-tree")
    return git.root === null ? new Map() : readDiskTexts(git.root, paths, maxBytes);
  // The explicit stage keeps a file named `1:a` from being read as stage 1 of `a`.
  const prefix = revision === "index" ? ":0:" : `${revision.commit}:`;
  const idsByPath = await findBlobIds(revision, paths.filter(looksDescribed), git);
  const known = paths.filter((path) => idsByPath.has(path) || !looksDescribed(path));
  const nameOf = (path: string): string => idsByPath.get(path) ?? `${prefix}${encodePath(path)}`;
  return readAll(git.objects, known, maxBytes, nameOf);
}

/** Whether a path stays inside the tree and isn't relative to a folder. */
function isTreePath(path: string): boolean {
  return !path.split("/").some((segment) => segment === "" || segment === "." || segment === "..");
}

/**
 * Git before 2.49 reads anything that ends in `-g` and hex digits as output of `git describe`, even after a colon:
 * `HEAD:a-g1234` is then not a file but any object whose id starts with 1234. Such files are read by their id.
 */
function looksDescribed(path: string): boolean {
  return /-g[0-9a-f]+$/i.test(path);
}

async function readAll(
  reader: ObjectReader,
  keys: readonly string[],
  maxBytes: number,
  specOf: (key: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(keys.map((key) => reader.read(specOf(key), maxBytes)));
  const found = new Map<string, string>();
  keys.forEach((key, index) => {
    const text = texts[index];
    if (text !== null && text !== undefined) found.set(key, text);
  });
  return found;
}
