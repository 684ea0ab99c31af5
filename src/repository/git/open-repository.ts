/** Opens the repository a folder belongs to, bare or with a work tree. */
import { resolve } from "node:path";
import { KodiaiError } from "../../base/errors.ts";
import { decodeBytes, decodePath, encodePath } from "../../review/change/decode-bytes.ts";
import type { Repository, Revision } from "../repository.ts";
import { createObjectReader, type ObjectReader } from "./object-reader.ts";
import { type GitContext, readChange } from "./read-change.ts";
import { type GitExit, type GitOptions, gitFailure, streamGit, tryGit } from "./run-git.ts";
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
      const prefix = revision === "index" ? ":" : `${revision.commit}:`;
      return readAll(reader(), paths, maxBytes, (path) => `${prefix}${encodePath(path)}`);
    },
    readBlobs: (ids, maxBytes) => readAll(reader(), ids, maxBytes, (id) => id),
    listPaths: (revision, maxPaths) => listPaths(revision, maxPaths, context),
    grep: (commit, fixed, maxHits) => grep(commit, fixed, maxHits, context),
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

async function listPaths(
  revision: Revision,
  maxPaths: number,
  git: GitContext,
): Promise<readonly string[] | null> {
  const args =
    typeof revision === "string"
      ? [
          "ls-files",
          "--cached",
          "-z",
          ...(revision === "working-tree" ? ["--others", "--exclude-standard"] : []),
        ]
      : ["ls-tree", "-r", "-z", "--name-only", "--full-tree", revision.commit];
  const limit = new AbortController();
  const signal = git.signal === undefined ? limit.signal : AbortSignal.any([git.signal, limit.signal]);
  const paths: string[] = [];
  let rest = "";
  try {
    const exit = await streamGit(args, { ...git, signal }, (chunk) => {
      const parts = (rest + chunk).split("\0");
      rest = parts.pop() ?? "";
      for (const part of parts) paths.push(decodePath(part));
      if (paths.length > maxPaths) limit.abort();
    });
    if (exit.code !== 0 && !limit.signal.aborted) throw gitFailure(args, exit);
  } catch (error) {
    if (!limit.signal.aborted) throw error;
  }
  return limit.signal.aborted ? null : paths;
}

async function grep(commit: string, fixed: string, maxHits: number, git: GitContext) {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new TypeError("grep takes a full commit id");
  const args = [
    "grep",
    "--fixed-strings",
    "-I",
    "-n",
    "-z",
    "--full-name",
    "--no-color",
    "--no-textconv",
    "-e",
    fixed,
    commit,
    "--",
  ];
  const result = await tryGit(args, git);
  // Exit code 1 means that nothing was found.
  if (result.code > 1) throw gitFailure(args, result);
  return result.stdout
    .split("\n")
    .slice(0, maxHits)
    .flatMap((record) => {
      const [place, line, text] = record.split("\0");
      if (place === undefined || line === undefined || text === undefined) return [];
      return [
        { path: decodePath(place.slice(commit.length + 1)), line: Number(line), text: decodeBytes(text) },
      ];
    });
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
