/**
 * Bare copies of repositories elsewhere, one for each id of the host, kept warm on disk up to a size. Whoever changes a copy holds
 * its lock, and only then: what a review reads are objects by id, which a fetch beside it leaves alone. Nothing is ever checked out.
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
  isWorn,
  removeLeftovers,
} from "./cached-copy.ts";
import { createEviction, evictCopy } from "./evict-copies.ts";
import { type FetchDeps, type FetchedPullRequest, fetchPullRequest } from "./fetch-pull-request.ts";
import { type Lock, shareLock, takeLock, tryLock } from "./file-lock.ts";
import { checkAddress, checkPullRequest } from "./remote-names.ts";

export type RepositoryCacheOptions = {
  /** Created when it is missing; must be on a local disk. Processes may share it. */
  readonly folder: string;
  /** Where PATH is taken from; git sees nothing else of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What all copies together may take once a fetch has ended; copies in use stay, whatever they take. */
  readonly maxBytes: number;
  /** Plain http, for a host without TLS. Within this machine it is always allowed. */
  readonly allowHttp?: boolean;
};

export function createRepositoryCache(options: RepositoryCacheOptions): RepositoryCache {
  const cacheFolder = resolve(options.folder);
  const evict = createEviction(cacheFolder, options.maxBytes);
  return {
    async openPullRequest(access, pullRequest, { signal, onProgress }) {
      checkPullRequest(pullRequest);
      const address = checkAddress(access.url, options.allowHttp ?? false);
      const copy = copyOf(cacheFolder, String(pullRequest.repositoryId));
      const environment = copyEnvironment(copy, options.environment);
      const git: GitOptions = { cwd: cacheFolder, environment, signal };
      const deps: FetchDeps = { remote: { address, access }, copy, git, onProgress };
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

/** A copy that turns out to be broken is made anew, once. */
async function openFetched(
  pullRequest: RemotePullRequest,
  deps: FetchDeps,
  signal: AbortSignal,
): Promise<CachedPullRequest> {
  const fetched = await fetchLocked(pullRequest, deps, { signal, isAnew: false });
  try {
    return await readFetched(pullRequest, fetched, deps);
  } catch (error) {
    if (!fetched.isWarm || !isDamage(error)) throw error;
    return readFetched(pullRequest, await fetchLocked(pullRequest, deps, { signal, isAnew: true }), deps);
  }
}

type Fetched = FetchedPullRequest & {
  /** The copy was there before. */
  readonly isWarm: boolean;
  /** Keeps the copy from being evicted. */
  readonly use: Lock;
};

/** Fetches while nobody else does. The lock is not held any longer: comparing takes time, and other pull requests wait. */
async function fetchLocked(
  pullRequest: RemotePullRequest,
  deps: FetchDeps,
  { signal, isAnew }: { readonly signal: AbortSignal; readonly isAnew: boolean },
): Promise<Fetched> {
  const { copy, git } = deps;
  const lock = await takeLock(copy.lockPath, signal);
  try {
    await removeLeftovers(copy);
    if (isAnew || ((await isWorn(copy)) && !isInUse(copy))) await discardCopy(copy);
    const isWarm = await isCreated(copy);
    if (!isWarm) await createCopy(copy, git);
    const use = markUsed(copy);
    try {
      const now = new Date();
      await utimes(copy.usePath, now, now);
      const fetched = await fetchPullRequest(pullRequest, deps).catch(async (error: unknown) => {
        if (!isWarm || !isDamage(error)) throw error;
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

/** The host's refusals, the network and a full disk have codes of their own; what is left is the copy's own fault. */
function isDamage(error: unknown): boolean {
  return error instanceof KodiaiError && ["git", "not-a-repository", "unknown-ref"].includes(error.code);
}

/** What the system says about the folder, or git about a full disk, in words for the operator; null for anything else. */
function diskFailure(error: unknown): KodiaiError | null {
  if (!(error instanceof Error)) return null;
  const system = "syscall" in error && "code" in error ? String(error.code) : null;
  const isFull = system === "ENOSPC" || system === "EDQUOT" || /no space left on device/i.test(error.message);
  if (system === null && !isFull) return null;
  const said = system ?? error.message;
  return new KodiaiError("io", `the repository cache could not be written to (${said})`, {
    hint: isFull
      ? "Free space where the repositories are kept, or lower the limit of the repository cache."
      : "Check that the folder of the repository cache exists and may be written to.",
    retryable: isFull,
    cause: error,
  });
}

function isInUse({ usePath }: CachedCopy): boolean {
  const use = tryLock(usePath);
  use?.release();
  return use === null;
}

/** Only who holds the copy's lock ever takes this one alone, so it can be shared at once. */
function markUsed({ usePath }: CachedCopy): Lock {
  const use = shareLock(usePath);
  if (use === null) throw new TypeError("somebody holds a copy's use without its lock");
  return use;
}
