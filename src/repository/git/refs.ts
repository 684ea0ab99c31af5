/** Resolves refs typed by a user to commits, and finds the base of the current branch. */
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type GitOptions, gitFailure, runGit, tryGit } from "./run-git.ts";

/** Longer input is not a ref. */
const MAX_REF_CHARS = 1_000;

/** Whether git can only read this as a commit id, not as an option, a ref or an abbreviation. */
export function isFullId(id: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id);
}

export function refuseOptionLike(ref: string): void {
  if (ref.startsWith("-") || ref.length === 0 || ref.length > MAX_REF_CHARS || /[\0\n]/.test(ref)) {
    throw new KodiaiError("unknown-ref", `"${printable(ref.slice(0, 80))}" is not a ref`, {
      hint: "Use a branch, a tag or a commit id. Names that start with a dash aren't valid.",
    });
  }
}

/** Returns the commit id, or null if there is no such commit. */
export async function findCommit(ref: string, git: GitOptions): Promise<string | null> {
  refuseOptionLike(ref);
  const result = await tryGit(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`],
    git,
  );
  const id = result.stdout.trim();
  return result.code === 0 && isFullId(id) ? id : null;
}

/** Returns those of the full ids that are no commits here. One git looks for all of them. */
export async function findMissingCommits(
  ids: readonly string[],
  git: GitOptions,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const input = Buffer.from(ids.map((id) => `${id}\n`).join(""));
  const listing = await runGit(["cat-file", "--batch-check=%(objectname) %(objecttype)"], { ...git, input });
  const found = new Set(listing.split("\n"));
  return ids.filter((id) => !found.has(`${id} commit`));
}

export async function resolveCommit(ref: string, git: GitOptions): Promise<string> {
  const id = await findCommit(ref, git);
  if (id === null) throw unknownRef(ref);
  return id;
}

/** Returns the commits that refs with full names point to, in order. One git finds them all. */
export async function resolveRefs(refs: readonly string[], git: GitOptions): Promise<readonly string[]> {
  const listing = await runGit(
    ["for-each-ref", "--format=%(objecttype) %(objectname) %(refname)", ...refs],
    git,
  );
  const lines = listing.split("\n");
  return refs.map((ref) => {
    const line = lines.find((each) => each.startsWith("commit ") && each.endsWith(` ${ref}`));
    if (line === undefined) throw unknownRef(ref);
    return line.split(" ")[1] ?? "";
  });
}

function unknownRef(ref: string): KodiaiError {
  return new KodiaiError("unknown-ref", `unknown ref "${printable(ref)}"`, {
    hint: "List refs with `git branch -a` and `git tag`. You may have to fetch a remote branch first.",
  });
}

/** Null if the histories have no common commit, or a shallow clone doesn't include it. */
export async function findMergeBase(a: string, b: string, git: GitOptions): Promise<string | null> {
  const args = ["merge-base", a, b];
  const result = await tryGit(args, git);
  if (result.code > 1) throw gitFailure(args, result);
  return result.code === 0 ? result.stdout.trim() : null;
}

export async function requireMergeBase(
  base: { readonly name: string; readonly id: string },
  head: { readonly name: string; readonly id: string },
  git: GitOptions & { readonly isShallow: boolean },
): Promise<string> {
  const found = await findMergeBase(base.id, head.id, git);
  if (found !== null) return found;
  throw new KodiaiError(
    "no-merge-base",
    `${printable(base.name)} and ${printable(head.name)} have no commit in common`,
    {
      hint: git.isShallow
        ? "This is a shallow clone. Run `git fetch --unshallow`, or set both ends with --range A..B."
        : "Set another base with --base, or both ends with --range A..B.",
    },
  );
}

/** The empty tree, which a first commit is compared with. */
export async function emptyTree(git: GitOptions): Promise<string> {
  return (await runGit(["hash-object", "-t", "tree", "--stdin"], git)).trim();
}

export type Ends = {
  /** The commit that HEAD points to. */
  readonly head: string;
  /** The base of the current branch. Null if none was found. */
  readonly detected: { readonly name: string; readonly id: string } | null;
};

/** The context that finding the ends needs. */
export type EndsContext = GitOptions & {
  /** The remote of the branch's upstream. Null if it has none. */
  readonly remote: string | null;
  readonly objects: Pick<ObjectReader, "resolve">;
};

/**
 * Finds both ends of the current branch. The base is the first of these that exists: the default branch of the upstream's
 * remote, origin/HEAD, origin/main, origin/master, main, master.
 */
export async function findEnds({ remote, objects }: EndsContext): Promise<Ends> {
  const remotes = remote === null || remote === "origin" ? ["origin"] : [remote, "origin"];
  const candidates = [
    ...remotes.flatMap((name) => ["HEAD", "main", "master"].map((leaf) => `remotes/${name}/${leaf}`)),
    "heads/main",
    "heads/master",
  ];
  const [head, ...ids] = await Promise.all([
    objects.resolve("HEAD"),
    ...candidates.map((name) => objects.resolve(`refs/${name}`)),
  ]);
  if (head === null || head === undefined) throw unknownRef("HEAD");
  for (const [index, id] of ids.entries()) {
    if (id !== null)
      return { head, detected: { name: (candidates[index] ?? "").replace(/^(?:remotes|heads)\//, ""), id } };
  }
  return { head, detected: null };
}
