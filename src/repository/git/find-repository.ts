/**
 * Finds the repository that a folder belongs to, and sees to it that nothing in the repository's own configuration makes git run a
 * program or read files from elsewhere.
 */
import { dirname, join, resolve } from "node:path";
import { KodiaiError } from "../../base/errors.ts";
import { type GitExit, type GitOptions, gitFailure, tryGit } from "./run-git.ts";

/** Nobody has more filters; each one is four arguments of every command. */
const MAX_FILTERS = 100;

const QUESTIONS = [
  "--is-bare-repository",
  "--is-shallow-repository",
  "--is-inside-work-tree",
  "--show-cdup",
  // These fail where there is no commit or no upstream; git has answered the ones before them by then.
  "--symbolic-full-name",
  "HEAD",
  "@{upstream}",
];

export type FoundRepository = {
  /** For every further command: in the right folder, with the filters switched off. */
  readonly git: GitOptions;
  /** Root of the work tree; null for a bare repository. */
  readonly root: string | null;
  readonly isShallow: boolean;
  /** No commit yet. */
  readonly isUnborn: boolean;
  /** Full name of the branch that HEAD points to, or "". */
  readonly head: string;
  /** Full name of its upstream, or "". */
  readonly upstream: string;
  /** Filters that configuration knows. Git runs none of them for us. */
  readonly filters: ReadonlySet<string>;
};

export async function findRepository(given: GitOptions): Promise<FoundRepository> {
  const asked = await ask(given);
  const isBareHere = /cannot use bare repository/.test(asked.found.stderr);
  const git = isBareHere ? await enterBare(given) : given;
  const { found, filters } = isBareHere ? await ask(git) : asked;
  const [isBare, isShallow, isInside, ...answers] = found.stdout.split("\n");
  if (isInside === undefined) throw notARepository(given.cwd, found);
  // Outside a work tree git does not answer the way up to its root at all.
  const up = isInside === "true" ? answers.shift() : undefined;
  const root = isBare === "true" || up === undefined ? null : resolve(given.cwd, up);
  if (root !== null) requireOwnWorkTree(root, { ...git, isBareHere });
  const names = readFilterNames(filters);
  const [head = "", upstream = ""] = answers;
  return {
    git: { ...git, cwd: root ?? git.cwd, settings: names.flatMap(switchOff) },
    root,
    isShallow: isShallow === "true",
    isUnborn: /ambiguous argument 'HEAD'/.test(found.stderr),
    head,
    upstream,
    filters: new Set(names),
  };
}

async function ask(git: GitOptions) {
  const [found, filters] = await Promise.all([
    tryGit(["rev-parse", ...QUESTIONS], git),
    tryGit(["config", "-z", "--name-only", "--get-regexp", String.raw`^filter\.`], git),
  ]);
  return { found, filters };
}

/**
 * Git takes any folder with HEAD, objects and refs for a bare repository. A tracked folder can look like that, with a configuration
 * of its own: git is told to refuse, and a bare repository is named to it only when it stands alone.
 */
async function enterBare({ cwd, environment, signal }: GitOptions): Promise<GitOptions> {
  const folder = resolve(cwd);
  const above = await tryGit(["rev-parse", "--git-dir"], { cwd: dirname(folder), environment, signal });
  if (!/not a git repository/.test(above.stderr)) {
    throw new KodiaiError("not-a-repository", `${folder} is a bare repository inside another repository`, {
      hint: "Change into the top folder of the repository you mean; for the bare one, set GIT_DIR to its folder.",
    });
  }
  return { cwd, signal, environment: { ...environment, GIT_DIR: folder } };
}

/**
 * The work tree is the folder that holds `.git`. With `core.worktree` a repository could name any folder above itself, such as a
 * home, and have its files read. Somebody who sets GIT_DIR or GIT_WORK_TREE knows where the files are.
 */
function requireOwnWorkTree(root: string, at: GitOptions & { readonly isBareHere: boolean }): void {
  const isChosen = at.environment["GIT_DIR"] !== undefined || at.environment["GIT_WORK_TREE"] !== undefined;
  if (isChosen ? !at.isBareHere : root === findHolder(resolve(at.cwd))) return;
  throw new KodiaiError("not-a-repository", `the repository says that its files are in ${root}`, {
    hint: "Look at core.worktree in its configuration. If you trust it, set GIT_WORK_TREE to that folder.",
  });
}

/** The nearest folder with a `.git` that git would take: a file, or a folder with a HEAD. */
function findHolder(folder: string): string | null {
  const { lstatSync } = process.getBuiltinModule("node:fs");
  const stat = (path: string) => lstatSync(path, { throwIfNoEntry: false });
  for (let at = folder; ; at = dirname(at)) {
    const found = stat(join(at, ".git"));
    if (found?.isFile() === true || stat(join(at, ".git", "HEAD")) !== undefined) return at;
    if (at === dirname(at)) return null;
  }
}

/** From keys such as `filter.lfs.clean`. */
function readFilterNames(listing: GitExit & { readonly stdout: string }): readonly string[] {
  // Exit code 1 means that there is none.
  if (listing.code > 1) throw gitFailure(["config"], listing);
  const keys = listing.stdout.split("\0").filter((key) => key !== "");
  const names = new Set(keys.flatMap((key) => /^filter\.([\s\S]+)\.[^.]+$/.exec(key)?.[1] ?? []));
  if (names.size > MAX_FILTERS || [...names].some((name) => name.includes("="))) {
    throw new KodiaiError(
      "not-a-repository",
      "the repository configures filters that cannot be switched off",
      {
        hint: `Look at \`git config --get-regexp '^filter'\`: at most ${MAX_FILTERS} names, without an equals sign.`,
      },
    );
  }
  return [...names];
}

/** A filter is a program that git runs on a file it reads from disk. An empty one is none. */
function switchOff(name: string): readonly string[] {
  return [
    `filter.${name}.clean=`,
    `filter.${name}.smudge=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ];
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
