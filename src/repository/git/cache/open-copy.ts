/**
 * Fetches into a copy under its lock and opens it. A corrupt copy is recreated once. The caller decides what is fetched and
 * what is read.
 */
import { utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { KodiaiError } from "../../../base/errors.ts";
import type { Repository } from "../../repository.ts";
import { openFound } from "../open-repository.ts";
import type { GitOptions } from "../run-git.ts";
import {
  type CachedCopy,
  createCopy,
  discardCopy,
  hasTooManyPacks,
  isCreated,
  readEdges,
  removeLeftovers,
} from "./cached-copy.ts";
import { isDiskFull } from "./disk-failure.ts";
import { acquireLock, type Lock, shareLock, tryLock } from "./file-lock.ts";
import type { Remote } from "./run-remote-git.ts";

export type FetchDeps = {
  readonly remote: Remote;
  readonly copy: CachedCopy;
  readonly git: GitOptions;
  readonly onProgress: (stage: string) => void;
};

export type CopySteps<Fetched, Value> = {
  /** Runs under the copy's lock, and again if the copy is corrupt. */
  fetch(deps: FetchDeps): Promise<Fetched>;
  /** Runs without the lock. The copy stays in use until the opened repository is closed; if none is opened, it isn't. */
  read(fetched: Fetched, open: () => Promise<Repository>): Promise<Value>;
};

export async function openCopy<Fetched, Value>(
  steps: CopySteps<Fetched, Value>,
  deps: FetchDeps,
  signal: AbortSignal,
): Promise<Value> {
  const fetched = await fetchLocked(steps, deps, { signal, isFresh: false });
  try {
    return await readFetched(steps, fetched, deps);
  } catch (error) {
    if (!fetched.isWarm || !(await isCorruption(error, deps.copy))) throw error;
    return readFetched(steps, await fetchLocked(steps, deps, { signal, isFresh: true }), deps);
  }
}

type FetchedCopy<Fetched> = {
  readonly value: Fetched;
  /** The copy already existed. */
  readonly isWarm: boolean;
  /** Keeps the copy from being evicted. */
  readonly use: Lock;
};

/** Fetches under the copy's lock and then releases it, because comparing takes time and other pull requests wait. */
async function fetchLocked<Fetched>(
  { fetch }: Pick<CopySteps<Fetched, unknown>, "fetch">,
  deps: FetchDeps,
  { signal, isFresh }: { readonly signal: AbortSignal; readonly isFresh: boolean },
): Promise<FetchedCopy<Fetched>> {
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
      const value = await fetch(deps).catch(async (error: unknown) => {
        if (!isWarm || !(await isCorruption(error, copy))) throw error;
        await discardCopy(copy);
        await createCopy(copy, git);
        return fetch(deps);
      });
      return { value, isWarm, use };
    } catch (error) {
      use.release();
      throw error;
    }
  } finally {
    lock.release();
  }
}

async function readFetched<Fetched, Value>(
  { read }: Pick<CopySteps<Fetched, Value>, "read">,
  { value, use }: FetchedCopy<Fetched>,
  { copy, git }: FetchDeps,
): Promise<Value> {
  let repository: Repository | null = null;
  const close = (): void => {
    repository?.close();
    use.release();
  };
  const open = async (): Promise<Repository> => {
    repository = openFound({
      git: { ...git, cwd: copy.folder, settings: [] },
      root: null,
      isShallow: (await readEdges(copy)).size > 0,
      gitFolder: copy.folder,
      // Its HEAD points nowhere, and it has no other settings than those of `createCopy`.
      isUnborn: true,
      head: "",
      upstream: "",
      filters: new Set(),
    });
    return { ...repository, close };
  };
  try {
    const result = await read(value, open);
    if (repository === null) close();
    return result;
  } catch (error) {
    close();
    throw error;
  }
}

/** Denied access and network failures have other codes, so these codes mean that the copy is corrupt, unless the disk is full. */
async function isCorruption(error: unknown, { lockPath }: CachedCopy): Promise<boolean> {
  if (!(error instanceof KodiaiError)) return false;
  const isSuspect = ["git", "not-a-repository", "unknown-ref"].includes(error.code);
  return isSuspect && !(await isDiskFull(error, dirname(lockPath)));
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
