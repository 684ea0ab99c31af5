/**
 * Finds the commits of a pull request in a clone, without the host: its own ref, or the commit that merged it. A clone of the host's whole
 * repository has the refs of pull requests; a usual clone doesn't.
 */
import type { HistoryCommit, RepositoryHistory } from "../../repository/repository-history.ts";

/** `note` is set when the commits aren't those of the pull request itself. */
export type PullRequestCommits = {
  readonly base: string;
  readonly head: string;
  readonly note: string | null;
};

/** More than the messages that mention one number. */
const MAX_MENTIONS = 50;

export async function findPullRequestCommits(
  number: number,
  history: RepositoryHistory,
): Promise<PullRequestCommits | { readonly missing: string }> {
  const main = await history.findCommit("HEAD");
  if (main === null)
    return { missing: `${history.gitFolder} has no commit at HEAD; fetch its default branch` };
  const head = await history.findCommit(`refs/pull/${number}/head`);
  const base = head === null ? null : await history.findMergeBase(main, head);
  // A merge commit makes the whole pull request part of the default branch.
  if (head !== null && base !== null && base !== head) return { base, head, note: null };
  const merged = await findMerge(number, main, history);
  const parent = merged?.parents[0];
  if (merged === null || parent === undefined)
    return {
      missing: `pull request ${number} isn't in ${history.gitFolder}; run \`git fetch origin refs/pull/${number}/head:refs/pull/${number}/head\` there`,
    };
  const note = `head is commit ${merged.id.slice(0, 12)}, which merged the pull request, and base is its parent`;
  return { base: parent, head: merged.id, note };
}

/** The commit whose subject names the number as GitHub writes it. */
async function findMerge(
  number: number,
  main: string,
  history: RepositoryHistory,
): Promise<HistoryCommit | null> {
  const grep = [`(#${number})`, `Merge pull request #${number} from`];
  const found = await history.listMainline({ from: main, sinceMs: null, max: MAX_MENTIONS, grep });
  const isMerge = ({ subject }: HistoryCommit): boolean =>
    subject.endsWith(`(#${number})`) || subject.startsWith(`Merge pull request #${number} from `);
  // A revert quotes the subject and has a number of its own behind it, so that the oldest match is the merge.
  return found.findLast(isMerge) ?? null;
}

/** The base and the head of a single commit. */
export async function findCommitRange(
  id: string,
  history: RepositoryHistory,
): Promise<PullRequestCommits | { readonly missing: string }> {
  const head = await history.findCommit(id);
  const base = head === null ? null : await history.findCommit(`${head}^1`);
  if (head === null || base === null)
    return { missing: `${history.gitFolder} has no commit ${id}; run \`git fetch origin ${id}\` there` };
  return { base, head, note: null };
}
