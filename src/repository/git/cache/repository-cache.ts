/**
 * Keeps bare copies of remote repositories on disk up to a size limit, one per repository id. A process locks a copy only
 * while it changes it: reviews read objects by id, which a concurrent fetch never touches. Nothing is ever checked out.
 */
import { mkdir, utimes } from "node:fs/promises";
import { resolve } from "node:path";
import { KodiaiError } from "../../../base/errors.ts";
import type { CachedPullRequest, RemotePullRequest, Repository, RepositoryCache } from "../../repository.ts";
import { openRepository } from "../open-repository.ts";
import type { GitOptions } from "../run-git.ts";
import {
  type CachedCopy,
  copyEnvironment,
  copyOf,
  createCopy,
  discardCopy,
  isCreated,
  hasTooManyPacks,
  removeLeftovers,
} from "./cached-copy.ts";
import { createEviction, evictCopy } from "./evict-copies.ts";
import { type FetchDeps, type FetchedPullRequest, fetchPullRequest } from "./fetch-pull-request.ts";
import { acquireLock, type Lock, shareLock, tryLock } from "./file-lock.ts";
import { checkAddress, checkPullRequest } from "./remote-names.ts";

export type RepositoryCacheOptions = {
  /** Created if it is missing. Must be on a local disk. Several processes may share it. */
  readonly folder: string;
  /** The source of PATH and GIT_SSL_CAINFO. Git sees nothing else of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Size limit of all copies after a fetch. Copies in use stay, however large they are. */
  readonly maxBytes: number;
  /** Allows plain http for a host without TLS. On this machine it is always allowed. */
  readonly allowHttp?: boolean;
};

export function createRepositoryCache(options: RepositoryCacheOptions): RepositoryCache {
  const cacheFolder = resolve(options.folder);
  const evict = createEviction(cacheFolder, options.maxBytes);
  return {
    async openPullRequest(access, pullRequest, { signal, onProgress, commits }) {
      checkPullRequest(pullRequest);
      const address = checkAddress(access.url, options.allowHttp ?? false);
      const copy = copyOf(cacheFolder, String(pullRequest.repositoryId));
      const environment = copyEnvironment(copy, options.environment);
      const git: GitOptions = { cwd: cacheFolder, environment, signal };
      const deps: FetchDeps = { remote: { address, access }, copy, git, onProgress, commits };
      try {
        await mkdir(cacheFolder, { recursive: true, mode: 0o700 });
        return await openFetched(pullRequest, deps, signal);
      } catch (error) {
        throw diskFailure(error) ?? error;
      } finally {
        await evict();
      }
    },
    discard: (repositoryId) => evictCopy(cacheFolder, String(repositoryId)),
  } satisfies RepositoryCache;
}

/** Recreates a corrupt copy once. */
async function openFetched(
  pullRequest: RemotePullRequest,
  deps: FetchDeps,
  signal: AbortSignal,
): Promise<CachedPullRequest> {
  const fetched = await fetchLocked(pullRequest, deps, { signal, isFresh: false });
  try {
    return await readFetched(pullRequest, fetched, deps);
  } catch (error) {
    if (!fetched.isWarm || !isCorruption(error)) throw error;
    return readFetched(pullRequest, await fetchLocked(pullRequest, deps, { signal, isFresh: true }), deps);
  }
}

type Fetched = FetchedPullRequest & {
  /** The copy already existed. */
  readonly isWarm: boolean;
  /** Keeps the copy from being evicted. */
  readonly use: Lock;
};

/** Fetches under the copy's lock and then releases it, because comparing takes time and other pull requests wait. */
async function fetchLocked(
  pullRequest: RemotePullRequest,
  deps: FetchDeps,
  { signal, isFresh }: { readonly signal: AbortSignal; readonly isFresh: boolean },
): Promise<Fetched> {
  const { copy, git } = deps;
  const lock = await acquireLock(copy.lockPath, signal);
  try {
    await removeLeftovers(copy);
    if (isFresh || ((await hasTooManyPacks(copy)) && !isInUse(copy))) await discardCopy(copy);
    const isWarm = await isCreated(copy);
    if (!isWarm) await createCopy(copy, git);
    const use = markUsed(copy);
    try {
      const now = new Date();
      await utimes(copy.usePath, now, now);
      const fetched = await fetchPullRequest(pullRequest, deps).catch(async (error: unknown) => {
        if (!isWarm || !isCorruption(error)) throw error;
        await discardCopy(copy);
        await createCopy(copy, git);
        return fetchPullRequest(pullRequest, deps);
      });
      return { ...fetched, isWarm, use };
    } catch (error) {
      use.release();
      throw error;
    }
  } finally {
    lock.release();
  }
}

async function readFetched(
  pullRequest: RemotePullRequest,
  { use, isWarm: _known, ...fetched }: Fetched,
  { copy, git }: FetchDeps,
): Promise<CachedPullRequest> {
  let repository: Repository | null = null;
  const close = (): void => {
    repository?.close();
    use.release();
  };
  if (fetched.kind === "moved") {
    close();
    return fetched;
  }
  const { title, body, description, head } = pullRequest;
  const { mergeBase } = fetched;
  try {
    repository = await openRepository(copy.folder, git.environment, git.signal);
    const change = await repository.readChange({
      kind: "pull-request",
      title,
      body,
      description,
      mergeBase,
      head,
    });
    return { kind: "opened", repository: { ...repository, close }, change };
  } catch (error) {
    close();
    throw error;
  }
}

/** Denied access, network failures and full disks have other codes, so these codes mean that the copy is corrupt. */
function isCorruption(error: unknown): boolean {
  return error instanceof KodiaiError && ["git", "not-a-repository", "unknown-ref"].includes(error.code);
}

/** Explains system errors about the folder, and git's errors about a full disk. Null for any other error. */
function diskFailure(error: unknown): KodiaiError | null {
  if (!(error instanceof Error)) return null;
  const system = "syscall" in error && "code" in error ? String(error.code) : null;
  const isFull = system === "ENOSPC" || system === "EDQUOT" || /no space left on device/i.test(error.message);
  if (system === null && !isFull) return null;
  const reason = system ?? error.message;
  return new KodiaiError("io", `the repository cache isn't writable (${reason})`, {
    hint: isFull
      ? "Free up space on the disk with the repository cache, or lower the size limit of the cache."
      : "Check that the folder of the repository cache exists and is writable.",
    retryable: isFull,
    cause: error,
  });
}

function isInUse({ usePath }: CachedCopy): boolean {
  const use = tryLock(usePath);
  use?.release();
  return use === null;
}

/** This lock is only ever held exclusively together with the copy's lock, so sharing it succeeds at once. */
function markUsed({ usePath }: CachedCopy): Lock {
  const use = shareLock(usePath);
  if (use === null) throw new TypeError("a copy's use is locked exclusively without the copy's lock");
  return use;
}
