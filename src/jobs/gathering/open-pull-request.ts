/** Reads a pull request and fetches its commits. If its head moves or its base is renamed during the fetch, it starts over. */
import { KodiaiError } from "../../base/errors.ts";
import type { Contents, PullRequest, PullRequests } from "../../forge/forge.ts";
import type { Repository, RepositoryCache } from "../../repository/repository.ts";
import type { Change } from "../../review/change/change.ts";
import type { JobContext } from "../recipe.ts";
import type { StoredRun } from "../review-state.ts";

/** An author who pushes more often than this during a fetch isn't waiting for a review of each push. */
const MAX_MOVES = 3;

export type OpenedPullRequest = {
  readonly pullRequest: PullRequest;
  readonly repository: Repository;
  readonly change: Change;
};

export type OpenDeps = {
  readonly repositories: Pick<RepositoryCache, "openPullRequest">;
  readonly context: Pick<JobContext, "signal" | "step">;
};

export type OpenRequest = {
  readonly number: number;
  readonly earlierRuns: readonly Pick<StoredRun, "base" | "head">[];
  /** Whether a closed one is opened too. Its change is empty if it was merged as it is. Left out: no. */
  readonly mayBeClosed?: boolean;
};

type RemoteSession = {
  readonly pullRequests: Pick<PullRequests, "read">;
  readonly contents: Pick<Contents, "cloneAccess">;
};

/** Null when the pull request is closed. */
export async function openPullRequest(
  { number, earlierRuns, mayBeClosed = false }: OpenRequest,
  session: RemoteSession,
  { repositories, context }: OpenDeps,
): Promise<OpenedPullRequest | null> {
  const gone: { readonly error: KodiaiError; readonly baseRef: string }[] = [];
  for (let move = 0; move <= MAX_MOVES; move++) {
    const pullRequest = await session.pullRequests.read(number);
    if (!pullRequest.isOpen && !mayBeClosed) return null;
    const last = gone.at(-1);
    if (last?.baseRef === pullRequest.baseRef) throw last.error;
    await context.step("cloning");
    try {
      const opened = await repositories.openPullRequest(
        session.contents.cloneAccess(),
        remoteOf(pullRequest),
        {
          signal: context.signal,
          commits: [...new Set(earlierRuns.flatMap(({ base, head }) => [head, base]))],
          // Not awaited: when the job is stopped, its signal aborts the fetch.
          onProgress: (stage) => void context.step(stage).catch(() => {}),
        },
      );
      if (opened.kind === "opened") return { pullRequest, ...opened };
    } catch (error) {
      // A missing branch may have been renamed. Then GitHub shows the pull request's new base now or shortly.
      if (!(error instanceof KodiaiError) || error.code !== "not-found" || !error.retryable) throw error;
      gone.push({ error, baseRef: pullRequest.baseRef });
    }
  }
  throw new KodiaiError(
    "network",
    `pull request ${number} receives new commits faster than they can be fetched`,
    {
      hint: "Kodiai retries automatically and reviews the pull request once the pushes stop.",
      retryable: true,
    },
  );
}

function remoteOf(pullRequest: PullRequest) {
  const { repositoryRef, number, title, body, baseRef, head, headLabel } = pullRequest;
  const description = `pull request ${number} of ${repositoryRef.owner}/${repositoryRef.name} (${headLabel} into ${baseRef})`;
  return { repositoryId: repositoryRef.repositoryId, number, title, body, description, baseRef, head };
}
