/**
 * Finds the repository that a folder belongs to, and makes sure that the repository's configuration can't make git run a
 * program or read files outside it.
 */
import { dirname, join, resolve } from "node:path";
import { KodiaiError } from "../../base/errors.ts";
import { decodePath } from "../../review/change/decode-bytes.ts";
import { type GitExit, type GitOptions, gitFailure, tryGit } from "./run-git.ts";

/** More than any real repository has. Each filter adds four arguments to every command. */
const MAX_FILTERS = 100;

const REV_PARSE_QUERIES = [
  "--is-bare-repository",
  "--is-shallow-repository",
  "--is-inside-work-tree",
  "--show-cdup",
  "--absolute-git-dir",
  // These fail without a commit or an upstream, but by then git has answered the ones before them.
  "--symbolic-full-name",
  "HEAD",
  "@{upstream}",
];

export type FoundRepository = {
  /** Options for every further command: the right folder, and filters turned off. */
  readonly git: GitOptions;
  /** Root of the work tree. Null for a bare repository. */
  readonly root: string | null;
  readonly isShallow: boolean;
  /** Git's own folder; a linked work tree has one of its own. */
  readonly gitFolder: string;
  /** No commit yet. */
  readonly isUnborn: boolean;
  /** Full name of the branch that HEAD points to, or "". */
  readonly head: string;
  /** Full name of its upstream, or "". */
  readonly upstream: string;
  /** Filters in the configuration. Git never runs them here. */
  readonly filters: ReadonlySet<string>;
};

export async function findRepository(given: GitOptions): Promise<FoundRepository> {
  const first = await query(given);
  const isBareHere = /cannot use bare repository/.test(first.found.stderr);
  const git = isBareHere ? await enterBare(given) : given;
  const { found, filters } = isBareHere ? await query(git) : first;
  const [isBare, isShallow, isInside, ...answers] = found.stdout.split("\n");
  if (isInside === undefined) throw notARepository(given.cwd, found);
  // Outside a work tree, git doesn't print the path to its root.
  const up = isInside === "true" ? answers.shift() : undefined;
  const root = isBare === "true" || up === undefined ? null : resolve(given.cwd, up);
  if (root !== null) requireOwnWorkTree(root, { ...git, isBareHere });
  const names = readFilterNames(filters);
  // A path may contain line breaks, the names of branches may not.
  const after = answers.findIndex((line) => line === "" || line === "HEAD" || line.startsWith("refs/"));
  const gitFolder = decodePath(answers.splice(0, after).join("\n"));
  const [head = "", upstream = ""] = answers;
  return {
    git: { ...git, cwd: root ?? git.cwd, settings: names.flatMap(turnOff) },
    root,
    isShallow: isShallow === "true",
    gitFolder,
    isUnborn: /ambiguous argument 'HEAD'/.test(found.stderr),
    head,
    upstream,
    filters: new Set(names),
  };
}

async function query(git: GitOptions) {
  const [found, filters] = await Promise.all([
    tryGit(["rev-parse", ...REV_PARSE_QUERIES], git),
    tryGit(["config", "-z", "--name-only", "--get-regexp", String.raw`^filter\.`], git),
  ]);
  return { found, filters };
}

/**
 * Git treats any folder with HEAD, objects and refs as a bare repository. A tracked folder can look like one and bring its
 * own configuration, so a setting makes git refuse it. A bare repository is passed explicitly, and only if it isn't inside another
 * repository.
 */
async function enterBare({ cwd, environment, signal }: GitOptions): Promise<GitOptions> {
  const folder = resolve(cwd);
  const above = await tryGit(["rev-parse", "--git-dir"], { cwd: dirname(folder), environment, signal });
  if (!/not a git repository/.test(above.stderr)) {
    throw new KodiaiError("not-a-repository", `${folder} is a bare repository inside another repository`, {
      hint: "Change to the top folder of the repository you want to review. For the bare one, set GIT_DIR to its folder.",
    });
  }
  return { cwd, signal, environment: { ...environment, GIT_DIR: folder } };
}

/**
 * The work tree must be the folder that contains `.git`. With `core.worktree` a repository could name any folder above it,
 * such as a home folder, and have its files read. A user who sets GIT_DIR or GIT_WORK_TREE has chosen the folder.
 */
function requireOwnWorkTree(root: string, at: GitOptions & { readonly isBareHere: boolean }): void {
  const isChosen = at.environment["GIT_DIR"] !== undefined || at.environment["GIT_WORK_TREE"] !== undefined;
  if (isChosen ? !at.isBareHere : root === findHolder(resolve(at.cwd))) return;
  throw new KodiaiError("not-a-repository", `the repository's configuration puts its files in ${root}`, {
    hint: "Check core.worktree in its configuration. If you trust it, set GIT_WORK_TREE to that folder.",
  });
}

/** Returns the nearest folder with a `.git` that git accepts: a file, or a folder with a HEAD. */
function findHolder(folder: string): string | null {
  const { lstatSync } = process.getBuiltinModule("node:fs");
  const stat = (path: string) => lstatSync(path, { throwIfNoEntry: false });
  for (let at = folder; ; at = dirname(at)) {
    const found = stat(join(at, ".git"));
    if (found?.isFile() === true || stat(join(at, ".git", "HEAD")) !== undefined) return at;
    if (at === dirname(at)) return null;
  }
}

/** Reads filter names from keys such as `filter.lfs.clean`. */
function readFilterNames(listing: GitExit & { readonly stdout: string }): readonly string[] {
  // Exit code 1 means that there are none.
  if (listing.code > 1) throw gitFailure(["config"], listing);
  const keys = listing.stdout.split("\0").filter((key) => key !== "");
  const names = new Set(keys.flatMap((key) => /^filter\.([\s\S]+)\.[^.]+$/.exec(key)?.[1] ?? []));
  if (names.size > MAX_FILTERS || [...names].some((name) => name.includes("="))) {
    throw new KodiaiError("not-a-repository", "the repository configures filters that can't be turned off", {
      hint: `Check \`git config --get-regexp '^filter'\`. Kodiai supports up to ${MAX_FILTERS} filters, without an equals sign in their names.`,
    });
  }
  return [...names];
}

/** A filter is a program that git runs on files it reads from disk. An empty value turns it off. */
function turnOff(name: string): readonly string[] {
  return [
    `filter.${name}.clean=`,
    `filter.${name}.smudge=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ];
}

function notARepository(folder: string, exit: GitExit): KodiaiError {
  if (/dubious ownership/.test(exit.stderr)) {
    return new KodiaiError(
      "not-a-repository",
      `git doesn't trust ${folder} because it belongs to another user`,
      {
        hint: `If you trust it: git config --global --add safe.directory ${folder}`,
      },
    );
  }
  if (/not a git repository/.test(exit.stderr)) {
    return new KodiaiError("not-a-repository", `${folder} is not in a git repository`, {
      hint: "Change to a repository, or review a diff with `kodiai review --diff FILE`.",
    });
  }
  return gitFailure(["rev-parse"], exit);
}
