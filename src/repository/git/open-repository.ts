/** Opens the repository a folder belongs to, bare or with a work tree. */
import { resolve } from "node:path";
import { KodiaiError } from "../../base/errors.ts";
import { encodePath } from "../../review/change/decode-bytes.ts";
import type { Repository } from "../repository.ts";
import { findBlobIds, findEntry, listPaths } from "./list-paths.ts";
import { createObjectReader, type ObjectReader } from "./object-reader.ts";
import { within } from "./patience.ts";
import { type GitContext, readChange } from "./read-change.ts";
import { type GitExit, type GitOptions, gitFailure, tryGit } from "./run-git.ts";
import { readDiskTexts } from "./work-tree.ts";

export async function openRepository(
  folder: string,
  environment: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Repository> {
  const git: GitOptions = { cwd: folder, environment, signal };
  const found = await tryGit(
    [
      "rev-parse",
      "--is-bare-repository",
      "--is-shallow-repository",
      "--is-inside-work-tree",
      "--show-cdup",
      // These fail where there is no commit or no upstream; what was asked before them has been answered by then.
      "--symbolic-full-name",
      "HEAD",
      "@{upstream}",
    ],
    git,
  );
  const [isBare, isShallow, isInside, ...answers] = found.stdout.split("\n");
  if (isInside === undefined) throw notARepository(folder, found);
  // Outside a work tree the way up to its root is not answered at all.
  const up = isInside === "true" ? answers.shift() : undefined;
  const [head = "", upstream = ""] = answers;
  const root = isBare === "true" || up === undefined ? null : resolve(folder, up);
  const location: GitOptions = { ...git, cwd: root ?? folder };
  let objects: ObjectReader | null = null;
  const reader = (): ObjectReader => (objects ??= createObjectReader(location));
  const context: GitContext = {
    ...location,
    root,
    isShallow: isShallow === "true",
    isUnborn: /ambiguous argument 'HEAD'/.test(found.stderr),
    branch: head.startsWith("refs/heads/") ? head.slice("refs/heads/".length) : null,
    remote: /^refs\/remotes\/([^/]+)\//.exec(upstream)?.[1] ?? null,
    resolve: (rev) => reader().resolve(rev),
  };

  return {
    root,
    isShallow: context.isShallow,
    readChange: (request) => readChange(request, context),
    async readFiles(revision, wanted, maxBytes) {
      const paths = wanted.filter(isTreePath);
      if (revision === "working-tree")
        return root === null ? new Map() : readDiskTexts(root, paths, maxBytes);
      // The stage is named: `:1:a` would otherwise be another version of the file `a`.
      const prefix = revision === "index" ? ":0:" : `${revision.commit}:`;
      const misread = await findBlobIds(revision, paths.filter(looksDescribed), context);
      const known = paths.filter((path) => misread.has(path) || !looksDescribed(path));
      return readAll(
        reader(),
        known,
        maxBytes,
        (path) => misread.get(path) ?? `${prefix}${encodePath(path)}`,
      );
    },
    readBlobs: (ids, maxBytes) => readAll(reader(), ids, maxBytes, (id) => id),
    listPaths: (revision, maxPaths, folder = "") => listPaths(revision, { maxPaths, folder }, context),
    findEntry: async (revision, path, patience) =>
      isTreePath(path) ? findEntry(revision, path, within(patience, context)) : null,
    // Only a model asks for these: they are loaded when one does.
    async search(revision, wanted, patience) {
      const { search } = await import("./search.ts");
      return search(revision, wanted, { ...patience, git: context });
    },
    async readHistory(revision, path, options) {
      const { readHistory } = await import("./read-history.ts");
      return readHistory(revision, { path, ...options }, within(options, context));
    },
    async readBlame(revision, path, options) {
      const { readBlame } = await import("./read-blame.ts");
      return readBlame(revision, { path, ...options }, within(options, context));
    },
    close() {
      objects?.close();
      objects = null;
    },
  } satisfies Repository;
}

/** A path as a tree has it: nothing that leads out of it, or that git would read relative to a folder. */
function isTreePath(path: string): boolean {
  return !path.split("/").some((segment) => segment === "" || segment === "." || segment === "..");
}

/**
 * Git before 2.49 takes whatever ends in `-g` and hex digits for a name that `git describe` made, also after a colon: `HEAD:a-g1234`
 * is then no file but any object whose id begins with 1234, of whatever branch. Such files are read by their id.
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

function notARepository(folder: string, exit: GitExit): KodiaiError {
  if (/dubious ownership/.test(exit.stderr)) {
    return new KodiaiError("not-a-repository", `git does not trust ${folder}: it belongs to somebody else`, {
      hint: `If you trust it: git config --global --add safe.directory ${folder}`,
    });
  }
  if (/not a git repository/.test(exit.stderr)) {
    return new KodiaiError("not-a-repository", `${folder} is not in a git repository`, {
      hint: "Change into one, or review a diff with `kodiai review --diff FILE`.",
    });
  }
  return gitFailure(["rev-parse"], exit);
}
