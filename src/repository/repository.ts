/**
 * The Repository port: what a review may ask of version control. Reading only: nothing here writes to the repository,
 * runs a hook, a filter driver of ours, or code of the change. Failures a person can mend are KodiaiErrors.
 */
import * as z from "zod";
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

/** What stands at a path. */
export const EntryKind = z.enum(["file", "folder", "symlink", "submodule"]);
export type EntryKind = z.infer<typeof EntryKind>;

/** How long an answer may take; git is killed when it is over, or when nobody waits any more. */
export type Deadline = { readonly maxMs: number; readonly signal: AbortSignal };

export const SearchHit = z
  .object({
    path: z.string(),
    line: z.int().min(0),
    /** Without its line end, and cut where nobody reads any more. */
    text: z.string(),
  })
  .readonly();
export type SearchHit = z.infer<typeof SearchHit>;

export type Search = {
  /** In the lines wanted, as it is; "" is in every line. Without line feed and NUL. */
  readonly text: string;
  /** Stands there as a word of its own. */
  readonly isWord: boolean;
  /** Only files below it; "" for all. */
  readonly folder: string;
  /** Has the last word on each line that git found. */
  readonly accepts: (hit: SearchHit) => boolean;
  readonly maxHits: number;
};

export const SearchResult = z
  .object({
    /** In git's order. */
    hits: z.array(SearchHit).readonly(),
    /** What ended it: everything was looked through, there were `maxHits`, or the time was over. */
    endedBy: z.enum(["end", "hits", "time"]),
  })
  .readonly();
export type SearchResult = z.infer<typeof SearchResult>;

const history = {
  /** Null for what is not committed yet. */
  commit: z.string().nullable(),
  author: z.string(),
  /** Such as 2026-01-31. */
  date: z.string(),
  subject: z.string(),
};

/** A commit as histories tell of it. */
export const HistoryEntry = z.object(history).readonly();
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** Lines that one commit brought. */
export const BlameRange = z
  .object({
    ...history,
    startLine: z.int().min(0),
    endLine: z.int().min(0),
    /** The history that is known here ends with this commit; the lines may be older. */
    isEdge: z.boolean(),
  })
  .readonly();
export type BlameRange = z.infer<typeof BlameRange>;

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
  /** Every path of a revision in git's order, or those below a folder, at most `maxPaths`; null when there are more. */
  listPaths(revision: Revision, maxPaths: number, folder?: string): Promise<readonly string[] | null>;
  /** Null when nothing of the repository stands there: also for what git ignores, and for all that is outside. */
  findEntry(revision: Revision, path: string, patience: Deadline): Promise<EntryKind | null>;
  /** Lines of text files; links and submodules are not followed. */
  search(revision: Revision, search: Search, patience: Deadline): Promise<SearchResult>;
  /** Commits that changed a file, newest first, followed over renames; at most `maxEntries`. */
  readHistory(
    revision: Revision,
    path: string,
    options: Deadline & { readonly maxEntries: number },
  ): Promise<readonly HistoryEntry[]>;
  /** Who brought the lines `from` to `to`, in their order. The file has that many lines. */
  readBlame(
    revision: Revision,
    path: string,
    options: Deadline & { readonly from: number; readonly to: number },
  ): Promise<readonly BlameRange[]>;
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

export type CachedPullRequest =
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
  ): Promise<CachedPullRequest>;
  /** Deletes the copy on this machine. False when it is in use. */
  discard(repositoryId: number): Promise<boolean>;
};
