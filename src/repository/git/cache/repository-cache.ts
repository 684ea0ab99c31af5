/**
 * Keeps bare copies of remote repositories on disk up to a size limit, one per repository id. A process locks a copy only
 * while it changes it: reviews read objects by id, which a concurrent fetch never touches. Nothing is ever checked out.
 */
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type {
  CachedPullRequest,
  RemoteAccess,
  RemotePullRequest,
  Repository,
  RepositoryCache,
} from "../../repository.ts";
import { copyEnvironment, copyOf } from "./cached-copy.ts";
import { diskFailure, isDiskFull } from "./disk-failure.ts";
import { createEviction, evictCopy } from "./evict-copies.ts";
import { fetchBranch } from "./fetch-branch.ts";
import { fetchPullRequest } from "./fetch-pull-request.ts";
import { fetchRange } from "./fetch-range.ts";
import { type CopySteps, openCopy } from "./open-copy.ts";
import {
  checkAddress,
  checkBranchName,
  checkPullRequest,
  checkRange,
  checkRepositoryId,
} from "./remote-names.ts";

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

type Opening = {
  readonly repositoryId: number;
  readonly signal: AbortSignal;
  readonly onProgress: (stage: string) => void;
};

export function createRepositoryCache(options: RepositoryCacheOptions): RepositoryCache {
  const cacheFolder = resolve(options.folder);
  const evict = createEviction(cacheFolder, options.maxBytes);

  const open = async <Fetched, Value>(
    access: RemoteAccess,
    { repositoryId, signal, onProgress }: Opening,
    steps: CopySteps<Fetched, Value>,
  ): Promise<Value> => {
    const address = checkAddress(access.url, options.allowHttp ?? false);
    const copy = copyOf(cacheFolder, String(repositoryId));
    const environment = copyEnvironment(copy, options.environment);
    const git = { cwd: cacheFolder, environment, signal };
    const deps = { remote: { address, access }, copy, git, onProgress };
    const tryOpen = async (): Promise<Value> => {
      await mkdir(cacheFolder, { recursive: true, mode: 0o700 });
      return openCopy(steps, deps, signal);
    };
    try {
      return await tryOpen().catch(async (error: unknown) => {
        const isFull = await isDiskFull(error, cacheFolder);
        if (!isFull || signal.aborted || !(await evict("half"))) throw error;
        return tryOpen();
      });
    } catch (error) {
      throw (await diskFailure(error, cacheFolder)) ?? error;
    } finally {
      await evict();
    }
  };

  return {
    async openPullRequest(access, pullRequest, { signal, onProgress, commits }) {
      checkPullRequest(pullRequest);
      const { repositoryId } = pullRequest;
      return open(
        access,
        { repositoryId, signal, onProgress },
        {
          fetch: (deps) => fetchPullRequest(pullRequest, { ...deps, commits }),
          read: (fetched, openFetched) => readPullRequest(pullRequest, fetched, openFetched),
        },
      );
    },
    async openRange(access, range, { signal, onProgress }) {
      checkRange(range);
      const { repositoryId } = range;
      return open(
        access,
        { repositoryId, signal, onProgress },
        {
          fetch: (deps) => fetchRange(range, deps),
          read: async (mergeBase, openFetched) => ({ repository: await openFetched(), mergeBase }),
        },
      );
    },
    async openBranch(access, { repositoryId, name }, { signal, onProgress }) {
      checkRepositoryId(repositoryId);
      checkBranchName(name);
      return open(
        access,
        { repositoryId, signal, onProgress },
        {
          fetch: (deps) => fetchBranch(name, deps),
          read: async (commit, openFetched) => ({ repository: await openFetched(), commit }),
        },
      );
    },
    discard: (repositoryId) => evictCopy(cacheFolder, String(repositoryId)),
  } satisfies RepositoryCache;
}

async function readPullRequest(
  { title, body, description, head }: RemotePullRequest,
  fetched: Awaited<ReturnType<typeof fetchPullRequest>>,
  openFetched: () => Promise<Repository>,
): Promise<CachedPullRequest> {
  if (fetched.kind === "moved") return fetched;
  const repository = await openFetched();
  const { mergeBase, baseTip } = fetched;
  const change = await repository.readChange({
    kind: "pull-request",
    title,
    body,
    description,
    mergeBase,
    head,
    baseTip,
  });
  return { kind: "opened", repository, change };
}
