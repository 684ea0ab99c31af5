/** Resolves what a person typed to commits, and finds the base of the current branch. */
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import { type GitOptions, runGit, tryGit } from "./run-git.ts";

/** A ref of more characters is no ref. */
const MAX_REF_CHARS = 1_000;

export function refuseOptionLike(ref: string): void {
  if (ref.startsWith("-") || ref.length === 0 || ref.length > MAX_REF_CHARS || /[\0\n]/.test(ref)) {
    throw new KodiaiError("unknown-ref", `"${printable(ref.slice(0, 80))}" is not a ref`, {
      hint: "Give a branch, a tag or a commit id; a name that begins with a dash is not one.",
    });
  }
}

/** The commit id, or null when there is no such commit. */
export async function findCommit(ref: string, git: GitOptions): Promise<string | null> {
  refuseOptionLike(ref);
  const result = await tryGit(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`],
    git,
  );
  const id = result.stdout.trim();
  return result.code === 0 && /^[0-9a-f]{40,64}$/.test(id) ? id : null;
}

export async function resolveCommit(ref: string, git: GitOptions): Promise<string> {
  const id = await findCommit(ref, git);
  if (id !== null) return id;
  throw new KodiaiError("unknown-ref", `unknown ref "${printable(ref)}"`, {
    hint: "List what there is with `git branch -a` and `git tag`; a remote branch may have to be fetched first.",
  });
}

/** Null when the histories have no commit in common, or a shallow clone does not reach it. */
async function mergeBase(a: string, b: string, git: GitOptions): Promise<string | null> {
  const result = await tryGit(["merge-base", a, b], git);
  return result.code === 0 ? result.stdout.trim() : null;
}

export async function requireMergeBase(
  base: { readonly name: string; readonly id: string },
  head: { readonly name: string; readonly id: string },
  git: GitOptions & { readonly isShallow: boolean },
): Promise<string> {
  const found = await mergeBase(base.id, head.id, git);
  if (found !== null) return found;
  throw new KodiaiError(
    "no-merge-base",
    `${printable(base.name)} and ${printable(head.name)} have no commit in common`,
    {
      hint: git.isShallow
        ? "This is a shallow clone: run `git fetch --unshallow`, or give both ends with --range A..B."
        : "Give another base with --base, or both ends with --range A..B.",
    },
  );
}

/** The tree without files, for comparing a first commit. */
export async function emptyTree(git: GitOptions): Promise<string> {
  return (await runGit(["hash-object", "-t", "tree", "--stdin"], { ...git, input: "" })).trim();
}

export type DetectedBase = { readonly name: string; readonly id: string };

/**
 * The base of the current branch, first that exists: the default branch of its upstream's remote, origin/HEAD,
 * origin/main, origin/master, main, master.
 */
export async function detectBase(branch: string | null, git: GitOptions): Promise<DetectedBase | null> {
  const patterns = [
    "refs/remotes/*/HEAD",
    "refs/remotes/*/main",
    "refs/remotes/*/master",
    "refs/heads/main",
    "refs/heads/master",
  ];
  const format = "--format=%(refname)%00%(objectname)%00%(upstream:remotename)";
  const own = branch === null ? [] : [`refs/heads/${branch}`];
  const listing = await runGit(["for-each-ref", format, ...patterns, ...own], git);
  const refs = new Map<string, string>();
  let remote: string | null = null;
  for (const line of listing.split("\n")) {
    const [name, id, upstreamRemote] = line.split("\0");
    if (name === undefined || id === undefined) continue;
    refs.set(name, id);
    if (name === own[0] && upstreamRemote) remote = upstreamRemote;
  }
  const remotes = remote === null || remote === "origin" ? ["origin"] : [remote, "origin"];
  const candidates = [
    ...remotes.flatMap((name) => ["HEAD", "main", "master"].map((leaf) => `refs/remotes/${name}/${leaf}`)),
    "refs/heads/main",
    "refs/heads/master",
  ];
  for (const name of candidates) {
    const id = refs.get(name);
    if (id !== undefined) return { name: name.replace(/^refs\/(?:remotes|heads)\//, ""), id };
  }
  return null;
}
