/**
 * Bare copies of repositories elsewhere, one for each id of the host, kept warm on disk up to a size. Everything that
 * changes a copy, or that a fetch beside it could disturb, happens while its lock is held; what a review reads later
 * (objects by id) a fetch leaves alone. Nothing is ever checked out.
 */
import { mkdir, utimes } from "node:fs/promises";
import { resolve } from "node:path";
import { KodiaiError } from "../../../base/errors.ts";
import type { OpenedPullRequest, RemotePullRequest, RepositoryCache } from "../../repository.ts";
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
import { type FetchDeps, fetchPullRequest } from "./fetch-pull-request.ts";
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
      let lock: Lock | null = null;
      try {
        await mkdir(cacheFolder, { recursive: true, mode: 0o700 });
        lock = await takeLock(copy.lockPath, signal);
        return await openLocked(pullRequest, deps);
      } catch (error) {
        throw diskFailure(error) ?? error;
      } finally {
        lock?.release();
        await evict();
      }
    },
    discard: (repositoryId) => evictCopy(cacheFolder, String(repositoryId)),
  } satisfies RepositoryCache;
}

/** Prepares the copy and reads from it; a copy that turns out to be broken is made anew, once. */
async function openLocked(pullRequest: RemotePullRequest, deps: FetchDeps): Promise<OpenedPullRequest> {
  const { copy, git } = deps;
  await removeLeftovers(copy);
  if ((await isWorn(copy)) && !isInUse(copy)) await discardCopy(copy);
  const isWarm = await isCreated(copy);
  if (!isWarm) await createCopy(copy, git);
  const use = markUsed(copy);
  let opened: OpenedPullRequest | null = null;
  try {
    const now = new Date();
    await utimes(copy.usePath, now, now);
    opened = await readPullRequest(pullRequest, deps, use).catch(async (error: unknown) => {
      if (!isWarm || !isDamage(error)) throw error;
      await discardCopy(copy);
      await createCopy(copy, git);
      return readPullRequest(pullRequest, deps, use);
    });
    return opened;
  } finally {
    if (opened?.kind !== "opened") use.release();
  }
}

async function readPullRequest(
  pullRequest: RemotePullRequest,
  deps: FetchDeps,
  use: Lock,
): Promise<OpenedPullRequest> {
  const { copy, git } = deps;
  const fetched = await fetchPullRequest(pullRequest, deps);
  if (fetched.kind === "moved") return fetched;
  const repository = await openRepository(copy.folder, git.environment, git.signal);
  const { title, body, description, head } = pullRequest;
  try {
    const change = await repository.readChange({
      kind: "pull-request",
      title,
      body,
      description,
      mergeBase: fetched.mergeBase,
      head,
    });
    const close = (): void => {
      repository.close();
      use.release();
    };
    return { kind: "opened", repository: { ...repository, close }, change };
  } catch (error) {
    repository.close();
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
