/**
 * The RepositoryWriter port: makes commits out of git objects and pushes them. There is no work tree, so no hook, filter or attribute of
 * a repository has a say. review/edits decides what may be written; this refuses only what git can't store safely.
 */
import type { RemoteAccess } from "./repository.ts";

/**
 * A file as it should be. `path` is decoded as everywhere: bytes that aren't UTF-8 are lone surrogates. `content` has one
 * character per byte; null deletes the file, which must exist.
 */
export type WrittenFile = {
  readonly path: string;
  readonly content: string | null;
  /** Left out: an existing file keeps its mode, and a new one is an ordinary file. */
  readonly isExecutable?: boolean;
};

export type NewCommit = {
  /** Full commit id, present in the local copy. */
  readonly parent: string;
  /** Each path once. */
  readonly files: readonly WrittenFile[];
  /** With its trailers. A final line break is added if it is missing. */
  readonly message: string;
  /** Author and committer. */
  readonly author: { readonly name: string; readonly email: string };
  /** Milliseconds since 1970, stored in seconds and UTC. The same commit at the same time has the same id. */
  readonly at: number;
};

/** One entry that differs between a commit and its parent, as the objects say. */
export type TreeEntryChange = {
  readonly path: string;
  /** Git file modes as six octal digits; null when the side doesn't exist. */
  readonly oldMode: string | null;
  readonly newMode: string | null;
  readonly newBlob: string | null;
};

export type WrittenCommit = {
  readonly commit: string;
  /** Read back from the objects. Empty if the commit changes nothing. */
  readonly changes: readonly TreeEntryChange[];
};

export type Push = {
  readonly commit: string;
  /** Without refs/heads. */
  readonly branch: string;
  /** The commit that the branch must have on the host; null if the branch must not exist. */
  readonly expected: string | null;
};

export type PushOutcome =
  /** The branch has the commit, perhaps since an earlier attempt, and perhaps with further commits after it. */
  | { readonly kind: "pushed" }
  /** `moved`: the branch has another commit, or exists. `protected`: the host's rules refuse it. `denied`: missing permission. */
  | {
      readonly kind: "rejected";
      readonly reason: "moved" | "protected" | "denied" | "other";
      /** The host's words, in one short printable line. */
      readonly message: string;
    };

/** Writes into the local copy of one repository, which must stay open meanwhile. */
export type RepositoryWriter = {
  /**
   * Stores the objects of a commit in the local copy, and moves no ref. A commit that is never pushed stays there unused until
   * the copy is recreated. Throws a KodiaiError with the code "bad-payload" if a path isn't one that git accepts everywhere, is
   * or goes through a link or a submodule, or is a file on one side and a folder on the other.
   */
  commit(request: NewCommit): Promise<WrittenCommit>;
  /**
   * Never forces. Network failures and unknown outcomes are retryable KodiaiErrors with the code "network"; repeating the same
   * push then finds out.
   */
  push(access: RemoteAccess, push: Push): Promise<PushOutcome>;
};

export type OpenRepositoryWriter = (repositoryId: number, signal: AbortSignal) => RepositoryWriter;
