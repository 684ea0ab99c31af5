/**
 * The Repository port: read-only access to version control. Nothing here writes to the repository or runs a hook, a filter
 * or code of the change. Failures that a user can fix are KodiaiErrors.
 */
import * as z from "zod";
import type { Change } from "../review/change/change.ts";
import type { ShareFile } from "../review/change/share-files.ts";

/** The change to review. Refs are as the user typed them. */
export type ChangeRequest =
  | { readonly kind: "current"; readonly base: string | null }
  /** As "current", without uncommitted work. Without a base branch, the last commit. */
  | { readonly kind: "committed"; readonly base: string | null }
  | { readonly kind: "staged" }
  | { readonly kind: "commit"; readonly ref: string }
  | { readonly kind: "range"; readonly range: string }
  | PullRequestChange;

/** A pull request whose commits are all local: the difference between the merge base and the head. */
export type PullRequestChange = {
  readonly kind: "pull-request";
  readonly title: string;
  readonly body: string;
  /** For display: "pull request 7 of acme/shop (ada:login into main)". */
  readonly description: string;
  /** Full commit ids. */
  readonly mergeBase: string;
  readonly head: string;
  /** The tip of the base branch. Missing for an earlier state of a pull request, whose policy doesn't matter. */
  readonly baseTip?: string;
  /** Replaces files by equal ones while they are read, so that several diffs of a pull request fit into the memory. */
  readonly share?: ShareFile;
};

/** Where a file is read from: a commit, the index, or the files on disk. */
export type Revision = { readonly commit: string } | "index" | "working-tree";

/** The kind of entry at a path. */
export const EntryKind = z.enum(["file", "folder", "symlink", "submodule"]);
export type EntryKind = z.infer<typeof EntryKind>;

/**
 * The limit of a request: the CPU time of git, and ten times as long on the clock, for what hangs. Git is killed when either is up or
 * the caller aborts.
 */
export type Deadline = { readonly maxMs: number; readonly signal: AbortSignal };

export const SearchHit = z
  .object({
    path: z.string(),
    line: z.int().min(0),
    /** Without its line ending, and truncated if very long. */
    text: z.string(),
  })
  .readonly();
export type SearchHit = z.infer<typeof SearchHit>;

export type Search = {
  /** Literal text to find; "" matches every line. Must not contain line feeds or NUL. */
  readonly text: string;
  /** Matches whole words only. */
  readonly isWord: boolean;
  /** Searches only files below this folder; "" for all. */
  readonly folder: string;
  /** Filters the lines that git found. */
  readonly accepts: (hit: SearchHit) => boolean;
  readonly maxHits: number;
  /** Called at the end with the CPU time of the search, rounded up. */
  readonly onUsed?: (cpuMs: number) => void;
};

export const SearchResult = z
  .object({
    /** In git's order. */
    hits: z.array(SearchHit).readonly(),
    /** Why the search ended: all files were searched, `maxHits` was reached, or the time was up. */
    endedBy: z.enum(["end", "hits", "time"]),
  })
  .readonly();
export type SearchResult = z.infer<typeof SearchResult>;

/** A regular file of a revision, without its content. */
export type TreeFile = {
  readonly path: string;
  /** The id of its content, also for a file on disk that git doesn't store yet. All zeros for one too large to hash. */
  readonly blob: string;
  /** 0 for a file that a partial clone lacks. */
  readonly bytes: number;
};

const history = {
  /** Null for uncommitted lines. */
  commit: z.string().nullable(),
  author: z.string(),
  /** For example 2026-01-31. */
  date: z.string(),
  subject: z.string(),
};

/** A text that a cache keeps for a repository. A cache that fails keeps nothing. */
export type KeptText = {
  /** Null if there is none. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
};

/** A commit in a history. */
export const HistoryEntry = z.object(history).readonly();
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** Consecutive lines that come from one commit. */
export const BlameRange = z
  .object({
    ...history,
    startLine: z.int().min(0),
    endLine: z.int().min(0),
    /** The local history ends at this commit, so the lines may be older. */
    isEdge: z.boolean(),
  })
  .readonly();
export type BlameRange = z.infer<typeof BlameRange>;

export type Repository = {
  /** Root of the work tree; null for a bare repository. */
  readonly root: string | null;
  readonly isShallow: boolean;
  /** The branch in the work tree, and git's own folder for that work tree. Null if HEAD is detached, unborn or in a bare repository. */
  readonly checkout: { readonly branch: string; readonly gitFolder: string } | null;
  /** Calls `onWaiting` when git is at work and there is time for something else. */
  readChange(request: ChangeRequest, onWaiting?: () => void): Promise<Change>;
  /** Returns texts as latin1 (one character per byte), without files that are missing, not regular, or over `maxBytes`. */
  readFiles(
    revision: Revision,
    paths: readonly string[],
    maxBytes: number,
  ): Promise<ReadonlyMap<string, string>>;
  /** Returns blobs by id, in the same way. */
  readBlobs(ids: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, string>>;
  /** Returns every path of a revision, or those below a folder, in git's order. Null if there are more than `maxPaths`. */
  listPaths(revision: Revision, maxPaths: number, folder?: string): Promise<readonly string[] | null>;
  /** Returns every regular file of a revision, in byte order of the paths. Null if there are more than `maxFiles`. */
  listFiles(revision: Revision, maxFiles: number, deadline: Deadline): Promise<readonly TreeFile[] | null>;
  /**
   * Returns the paths that each of the last commits changed, newest first, without merges and commits without a parent. `kept` saves time
   * and never changes the result.
   */
  readCoChanges(
    commit: string,
    options: Deadline & { readonly maxCommits: number; readonly kept?: KeptText },
  ): Promise<readonly (readonly string[])[]>;
  /** Null if the repository has no entry at the path. Ignored files and paths outside the repository count as none. */
  findEntry(revision: Revision, path: string, deadline: Deadline): Promise<EntryKind | null>;
  /** Searches the lines of text files. Doesn't follow links or submodules. */
  search(revision: Revision, search: Search, deadline: Deadline): Promise<SearchResult>;
  /** Returns the commits that changed a file, newest first, following renames; at most `maxEntries`. */
  readHistory(
    revision: Revision,
    path: string,
    options: Deadline & { readonly maxEntries: number },
  ): Promise<readonly HistoryEntry[]>;
  /** Returns the commits that the lines `from` to `to` come from, in line order. The file must have these lines. */
  readBlame(
    revision: Revision,
    path: string,
    options: Deadline & { readonly from: number; readonly to: number },
  ): Promise<readonly BlameRange[]>;
  close(): void;
};

/** How git accesses a remote repository. The credential is requested only if the host requires one, and is never stored. */
export type RemoteAccess = {
  readonly url: string;
  readonly credential: (() => Promise<{ readonly username: string; readonly password: string }>) | null;
};

/** A pull request as its host describes it. */
export type RemotePullRequest = {
  /** Our id of the base repository. It names the folder in the cache and survives renames. */
  readonly repositoryId: number;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly description: string;
  /** Name of the base branch, without refs/heads. */
  readonly baseRef: string;
  /** The expected head, as a full commit id. */
  readonly head: string;
};

/** Commits that were pushed. */
export type RemoteRange = {
  readonly repositoryId: number;
  /** A full commit id. */
  readonly head: string;
  /** A full commit id, or the name of a branch without refs/heads. */
  readonly base: { readonly commit: string } | { readonly branch: string };
};

export type CachedPullRequest =
  | { readonly kind: "opened"; readonly repository: Repository; readonly change: Change }
  /** The head has changed in the meantime; `head` is the new one. */
  | { readonly kind: "moved"; readonly head: string };

/** Bare copies of remote repositories, kept on disk up to a size limit. */
export type RepositoryCache = {
  /**
   * Fetches the commits that a review of the pull request needs and reads the change. The caller closes the repository,
   * which may then be evicted. Network failures are retryable KodiaiErrors with the code "network". If the host denies
   * access, the code is "forbidden"; if the branch or repository no longer exists, it is "not-found".
   */
  openPullRequest(
    access: RemoteAccess,
    pullRequest: RemotePullRequest,
    options: {
      readonly signal: AbortSignal;
      readonly onProgress: (stage: string) => void;
      /** Commits of earlier reviews, which are fetched if they are missing and the host still has them. */
      readonly commits: readonly string[];
    },
  ): Promise<CachedPullRequest>;
  /**
   * Fetches a commit, the one to compare it with, and enough history to connect them. Failures are as for a pull request. Without a
   * common commit, or if the host no longer has the base, `mergeBase` is null.
   */
  openRange(
    access: RemoteAccess,
    range: RemoteRange,
    options: { readonly signal: AbortSignal; readonly onProgress: (stage: string) => void },
  ): Promise<{ readonly repository: Repository; readonly mergeBase: string | null }>;
  /** Fetches the newest commit of a branch. Failures are as for a pull request. */
  openBranch(
    access: RemoteAccess,
    branch: { readonly repositoryId: number; readonly name: string },
    options: { readonly signal: AbortSignal; readonly onProgress: (stage: string) => void },
  ): Promise<{ readonly repository: Repository; readonly commit: string }>;
  /** Deletes the copy on this machine. False if it is in use. */
  discard(repositoryId: number): Promise<boolean>;
};
