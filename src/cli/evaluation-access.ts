/** Access to the machine and the network for the commands about evaluation sets. The composition root makes it. */
import type { ReviewHistory } from "../forge/review-history.ts";
import type { RepositoryHistory } from "../repository/repository-history.ts";

export type FetchedClone = {
  /** Refs and commits that the host doesn't have. */
  readonly missing: readonly string[];
};

export type EvaluationAccess = {
  readonly openHistory: (folder: string) => Promise<RepositoryHistory>;
  /** The pull requests of a repository of GitHub. The user's token is used if it's for that host. */
  readonly openReviews: (repository: { readonly owner: string; readonly name: string }) => ReviewHistory;
  /** Fetches a repository of GitHub, such as acme/shop, into a bare clone, or what is missing of it. */
  readonly fetchClone: (
    repository: string,
    wanted: { readonly folder: string; readonly refs: readonly string[] },
  ) => Promise<FetchedClone>;
};
