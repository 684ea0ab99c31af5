/** One job's access to one repository: its tokens, reads and writes. Nothing outlives `close`. */
import type { ForgeSession, RepositoryRef } from "../forge.ts";
import { requireCloneUrl } from "./clone-url.ts";
import { createTokenClient, type AppConnection, type GithubClient, type Token } from "./github-client.ts";
import { outcomeUnknown } from "./github-error.ts";
import type { Markers } from "./markers.ts";
import { isReviewVisible } from "./publish/is-review-visible.ts";
import { publish } from "./publish/publish.ts";
import { publishAnswer } from "./publish/publish-answer.ts";
import { startCheck, writeCheck } from "./publish/publish-check.ts";
import { findComment, type PublishDeps, summaryScope } from "./publish/publishing.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { readChecks } from "./read-checks.ts";
import {
  countMergedPullRequests,
  hasWriteAccess,
  type ReadDeps,
  readPullRequest,
  readThread,
} from "./read-pull-request.ts";
import { readThreads, type ReadThreadsDeps } from "./read-threads.ts";
import { createRepositoryCalls } from "./repository-calls.ts";
import { createSessionTokens, type TokenPurpose } from "./session-tokens.ts";

export type SessionDeps = {
  readonly connection: AppConnection;
  readonly app: GithubClient;
  readonly limiter: RateLimiter;
  readonly markers: Markers;
  readonly slug: () => Promise<string>;
};

export function createGithubSession(repositoryRef: RepositoryRef, deps: SessionDeps): ForgeSession {
  const { connection, limiter, markers } = deps;
  const { now, sleep, appId } = connection;
  const tokens = createSessionTokens({
    app: deps.app,
    clientOf: (token: Token) => createTokenClient(connection, limiter, async () => token),
    installationId: repositoryRef.installationId,
    repositoryId: repositoryRef.repositoryId,
    now,
    log: connection.log,
  });
  const read = createTokenClient(connection, limiter, () => tokens.get("read"));
  const write = createTokenClient(connection, limiter, () => tokens.get("write"));
  const name = async (purpose: TokenPurpose) =>
    (await tokens.currentName(purpose)) ?? { owner: repositoryRef.owner, repo: repositoryRef.name };
  const resolve = createTokenClient(connection, limiter, () => tokens.get("resolve"));
  const calls = createRepositoryCalls({ read, write, resolve, name, appId, slug: deps.slug });
  const reading: ReadDeps = { read, name: () => name("read"), repositoryRef, appId };
  const listing: ReadThreadsDeps = { ...reading, markers, slug: deps.slug };
  const publishing: PublishDeps = {
    calls,
    markers,
    readCurrent: async (number) => (await readPullRequest(number, reading)).pullRequest,
    readThreads: (number) => readThreads(number, listing),
    now,
    sleep,
    log: connection.log,
  };
  let cloneUrl: string | null = null;
  return {
    async readPullRequest(number) {
      const current = await readPullRequest(number, reading);
      cloneUrl = current.cloneUrl;
      return current.pullRequest;
    },
    countMergedPullRequests: (login) => countMergedPullRequests(login, reading),
    hasWriteAccess: (login) => hasWriteAccess(login, reading),
    readThread: (number, maxComments) => readThread(number, maxComments, reading),
    readThreads: publishing.readThreads,
    async readState(number) {
      const summary = await findComment(number, summaryScope(repositoryRef, number), publishing);
      return summary?.content.state ?? null;
    },
    readChecks: (head) => readChecks(head, { client: write, name: () => name("write"), appId }),
    cloneAccess() {
      if (cloneUrl === null) throw new Error("cloneAccess must be called after readPullRequest");
      const url = requireCloneUrl(cloneUrl, connection.apiUrl);
      return {
        url,
        credential: async () => ({ username: "x-access-token", password: (await tokens.get("read")).value }),
      };
    },
    startCheck: (pullRequest, journal) =>
      startCheck({ pullRequest, head: pullRequest.head, journal, isLost: neverLost }, publishing),
    async concludeCheck(pullRequest, notice, journal) {
      const target = { pullRequest, head: pullRequest.head, journal, isLost: neverLost };
      const outcome = await writeCheck(target, notice, publishing);
      if (outcome.kind === "unknown") throw outcomeUnknown(outcome.untilMs, "the check");
    },
    publish: (request) => publish(request, publishing),
    isReviewVisible: (begun) => isReviewVisible(begun, publishing),
    answer: (request) => publishAnswer(request, publishing),
    react: calls.react,
    close: () => tokens.revokeAll(),
  } satisfies ForgeSession;
}

/** Progress and final notices skip the check, because the worker that holds the job overwrites them anyway. */
async function neverLost(): Promise<boolean> {
  return false;
}
