/**
 * Fetches both ends of a pull request and enough history to connect them. It fetches the pull request's ref, which the host
 * keeps in the base repository, so forks and deleted forks need no special handling.
 */
import { KodiaiError } from "../../../base/errors.ts";
import { reachFaultPoint } from "../../../base/fault-point.ts";
import { printable } from "../../../base/printable.ts";
import type { RemotePullRequest } from "../../repository.ts";
import { findMergeBase, findMissingCommits, isFullId, resolveRefs } from "../refs.ts";
import { type GitOptions, runGit } from "../run-git.ts";
import { type CachedCopy, readEdges } from "./cached-copy.ts";
import { FULL_DEPTH, readDepth, writeDepth } from "./copy-depth.ts";
import type { FetchDeps } from "./open-copy.ts";
import { runFetch } from "./run-fetch.ts";

/** How much to deepen, step by step, before the whole history is fetched. */
const DEEPENING = [200, 1_000, 5_000] as const;

export type FetchedPullRequest =
  | { readonly kind: "moved"; readonly head: string }
  | { readonly kind: "fetched"; readonly mergeBase: string; readonly baseTip: string };

type PullRequestDeps = FetchDeps & {
  /** Commits that are wanted too, if the host has them. */
  readonly commits: readonly string[];
};

export async function fetchPullRequest(
  pullRequest: RemotePullRequest,
  deps: PullRequestDeps,
): Promise<FetchedPullRequest> {
  const { remote, copy, git, onProgress } = deps;
  const { number, baseRef } = pullRequest;
  const refs = { base: `refs/kodiai/${number}/base`, head: `refs/kodiai/${number}/head` };
  const depth = await readDepth(copy);
  onProgress("fetching");
  const refspecs = [`+refs/heads/${baseRef}:${refs.base}`, `+refs/pull/${number}/head:${refs.head}`];
  await runFetch(remote, { depth: `--depth=${depth}`, refspecs }, git);
  reachFaultPoint("mid-clone");
  const [head = "", base = ""] = await resolveRefs([refs.head, refs.base], git);
  if (head !== pullRequest.head) return { kind: "moved", head };
  const mergeBase = await joinHistories({ base, head, depth }, deps);
  if (mergeBase === null)
    throw new KodiaiError(
      "no-merge-base",
      `pull request ${number} has no commit in common with ${printable(baseRef)}`,
      {
        hint: "Rebase its branch onto the base branch. Without a common commit there is nothing to compare with.",
      },
    );
  await fetchMissing(deps);
  return { kind: "fetched", mergeBase, baseTip: base };
}

/** Commits of earlier heads may be gone after a force-push. A review works without them. */
async function fetchMissing({ remote, copy, git, commits }: PullRequestDeps): Promise<void> {
  for (const id of await findMissingCommits(commits.filter(isFullId), git)) {
    try {
      await runFetch(remote, { depth: `--depth=${await readDepth(copy)}`, refspecs: [id] }, git);
    } catch (error) {
      if (!(error instanceof KodiaiError) || git.signal?.aborted === true) throw error;
    }
  }
}

/** Finds the merge base, and deepens the history while the merge base is missing or may be wrong. Null if there is none. */
export async function joinHistories(
  { base, head, depth }: { readonly base: string; readonly head: string; readonly depth: number },
  { remote, copy, git, onProgress }: FetchDeps,
): Promise<string | null> {
  let found = await findMergeBase(base, head, git);
  // Fetches by id, so that a push in the meantime has no effect.
  const refspecs = [base, head];
  let reached = depth;
  for (const step of DEEPENING) {
    if (!(await isTruncated(base, head, copy, git)) && found !== null) return found;
    if ((await readEdges(copy)).size === 0) break;
    onProgress("deepening");
    await runFetch(remote, { depth: `--deepen=${step}`, refspecs }, git);
    reached = Math.min(reached + step, FULL_DEPTH);
    await writeDepth(copy, reached);
    found = await findMergeBase(base, head, git);
  }
  if (found === null && (await readEdges(copy)).size > 0) {
    onProgress("deepening");
    await runFetch(remote, { depth: `--depth=${FULL_DEPTH}`, refspecs }, git);
    await writeDepth(copy, FULL_DEPTH);
    found = await findMergeBase(base, head, git);
  }
  return found;
}

/**
 * Whether the branch's own history reaches the edge of the copy. The merge base may then be an older commit found on a
 * shorter path, and a diff from there would show other people's work as part of the pull request.
 */
async function isTruncated(base: string, head: string, copy: CachedCopy, git: GitOptions): Promise<boolean> {
  const edges = await readEdges(copy);
  if (edges.size === 0) return false;
  const commits = await runGit(["rev-list", "--end-of-options", head, `^${base}`, "--"], git);
  return commits.split("\n").some((id) => edges.has(id));
}
