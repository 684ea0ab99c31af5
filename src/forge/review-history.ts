/** The ReviewHistory port: the merged pull requests of one repository, and what was said about their lines. It never writes. */
import type { Person } from "./forge.ts";

export type MergedPullRequest = {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: Person;
  /** The last commit of the pull request, before the host squashed or rebased it. */
  readonly head: string;
  /** A commit of the base branch, perhaps an old one. */
  readonly base: string;
  /** The last commit that the merge added to the base branch; null if the host doesn't say. */
  readonly mergeCommit: string | null;
};

/** The first comment of a thread. */
export type ThreadOpening = {
  readonly id: string;
  readonly author: Person;
  /** Kodiai wrote it, also as a person's account. */
  readonly isOwn: boolean;
  readonly body: string;
  /** The head at which it was written. */
  readonly commit: string;
  readonly path: string;
  /** First and last line at that commit; null for removed lines and whole files. */
  readonly lines: readonly [number, number] | null;
};

export type ReviewHistory = {
  /** The last merged ones. */
  listMerged(wanted: { readonly sinceMs: number; readonly max: number }): Promise<{
    readonly pullRequests: readonly MergedPullRequest[];
    /** Merged since then, and not listed. */
    readonly leftOut: number;
    /** False if there may be more than the host was asked for. */
    readonly isWhole: boolean;
  }>;
  /** The oldest threads of a pull request. */
  listOpenings(
    number: number,
    max: number,
  ): Promise<{ readonly openings: readonly ThreadOpening[]; readonly hasMore: boolean }>;
};
