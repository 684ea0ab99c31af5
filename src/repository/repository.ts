/**
 * The Repository port: what a review may ask of version control. Reading only: nothing here writes to the repository,
 * runs a hook, a filter driver of ours, or code of the change. Failures a person can mend are KodiaiErrors.
 */
import type { Change } from "../review/change/change.ts";

/** Which change is meant. Refs are as a person typed them. */
export type ChangeRequest =
  | { readonly kind: "current"; readonly base: string | null }
  | { readonly kind: "staged" }
  | { readonly kind: "commit"; readonly ref: string }
  | { readonly kind: "range"; readonly range: string }
  | PullRequestChange;

/** A pull request whose commits are all here: what lies between the merge base and the head. */
export type PullRequestChange = {
  readonly kind: "pull-request";
  readonly title: string;
  readonly body: string;
  /** For people: "pull request 7 of acme/shop (ada:login into main)". */
  readonly description: string;
  /** Full commit ids. */
  readonly mergeBase: string;
  readonly head: string;
};

/** Where a file is read: a commit, the index, or the files on disk. */
export type Revision = { readonly commit: string } | "index" | "working-tree";

export type GrepHit = { readonly path: string; readonly line: number; readonly text: string };

export type Repository = {
  /** Root of the work tree; null for a bare repository. */
  readonly root: string | null;
  readonly isShallow: boolean;
  readChange(request: ChangeRequest): Promise<Change>;
  /** Texts as latin1 (one character per byte); files that are missing, not regular, or over `maxBytes` are left out. */
  readFiles(
    revision: Revision,
    paths: readonly string[],
    maxBytes: number,
  ): Promise<ReadonlyMap<string, string>>;
  /** Blobs by id, likewise. */
  readBlobs(ids: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, string>>;
  /** Every path of a revision in git's order, at most `maxPaths`; null when there are more. */
  listPaths(revision: Revision, maxPaths: number): Promise<readonly string[] | null>;
  /** Lines of tracked text files that hold the fixed string, at most `maxHits`. */
  grep(commit: string, fixed: string, maxHits: number): Promise<readonly GrepHit[]>;
  close(): void;
};

/** How git reaches a repository elsewhere. The credential is asked for only when the host wants one, and is kept nowhere. */
export type RemoteAccess = {
  readonly url: string;
  readonly credential: (() => Promise<{ readonly username: string; readonly password: string }>) | null;
};

/** A pull request as its host tells of it. */
export type RemotePullRequest = {
  /** The host's own id of the base repository: names its folder in the cache, and survives renames. */
  readonly repositoryId: number;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly description: string;
  /** Name of the base branch, without refs/heads. */
  readonly baseRef: string;
  /** Full commit id that the head is expected at. */
  readonly head: string;
};

export type OpenedPullRequest =
  | { readonly kind: "opened"; readonly repository: Repository; readonly change: Change }
  /** The head has moved on meanwhile; what is there now. */
  | { readonly kind: "moved"; readonly head: string };

/** Bare copies of repositories elsewhere, kept warm on disk up to a size. */
export type RepositoryCache = {
  /**
   * Brings what a review of the pull request needs and reads the change. The caller closes the repository, which may
   * then be evicted. Failures of the network are KodiaiErrors with code "network" that may be tried again; a host that
   * refuses access is "forbidden", a branch or repository that is gone "not-found".
   */
  openPullRequest(
    access: RemoteAccess,
    pullRequest: RemotePullRequest,
    options: { readonly signal: AbortSignal; readonly onProgress: (stage: string) => void },
  ): Promise<OpenedPullRequest>;
};
