/** One job's access to one repository: its tokens, reads and writes. Nothing outlives `close`. */
import type { ForgeSession, RepositoryRef } from "../forge.ts";
import type { RemoteAccess } from "../../repository/repository.ts";
import { requireCloneUrl } from "./clone-url.ts";
import { createConversationAccess } from "./conversation-access.ts";
import { createTokenClient, type AppConnection, type GithubClient, type Token } from "./github-client.ts";
import { outcomeUnknown } from "./github-error.ts";
import type { Markers } from "./markers.ts";
import { isReviewVisible } from "./publish/is-review-visible.ts";
import { publish } from "./publish/publish.ts";
import { publishAnswer } from "./publish/publish-answer.ts";
import { startCheck, writeCheck } from "./publish/publish-check.ts";
import { proposePullRequest } from "./publish/propose-pull-request.ts";
import { findComment, type PublishDeps, summaryScope } from "./publish/publishing.ts";
import { resolveRequestedThreads } from "./publish/resolve-requested-threads.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { readChecks } from "./read-checks.ts";
import { readCommitIdentity } from "./read-commit-identity.ts";
import { readDiscussion } from "./read-discussion.ts";
import { readHostedFile } from "./read-hosted-file.ts";
import { readHostedBranch, readHostedRepository } from "./read-hosted-repository.ts";
import { readIssue } from "./read-issue.ts";
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
  const { connection, markers } = deps;
  let isForOutsider = false;
  const limiter: RateLimiter = {
    ...deps.limiter,
    run: (call, send) => deps.limiter.run({ ...call, isForOutsider }, send),
  };
  const { now, sleep, appId } = connection;
  const tokens = createSessionTokens({
    app: deps.app,
    clientOf: (token: Token) => createTokenClient(connection, limiter, async () => token),
    installationId: repositoryRef.installationId,
    forgeId: repositoryRef.forgeId,
    now,
    log: connection.log,
  });
  const clientFor = (purpose: TokenPurpose) =>
    createTokenClient(connection, limiter, () => tokens.get(purpose));
  const [read, write, resolve] = [clientFor("read"), clientFor("write"), clientFor("resolve")];
  const conversation = createConversationAccess({ read, write, issue: clientFor("issue") });
  const name = async (purpose: TokenPurpose) =>
    (await tokens.currentName(purpose)) ?? { owner: repositoryRef.owner, repo: repositoryRef.name };
  const calls = createRepositoryCalls({ read, write, resolve, conversation, name, appId, slug: deps.slug });
  const reading: ReadDeps = { read, name: () => name("read"), repositoryRef, appId, slug: deps.slug };
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
  const accessWith = (purpose: "read" | "push"): RemoteAccess => {
    if (cloneUrl === null) throw new Error("git's access is known after readPullRequest or readRepository");
    return {
      url: requireCloneUrl(cloneUrl, connection.apiUrl),
      credential: async () => ({ username: "x-access-token", password: (await tokens.get(purpose)).value }),
    };
  };
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
    cloneAccess: () => accessWith("read"),
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
    readIssue: (number) => readIssue(number, { ...reading, conversation, name: () => name("issue") }),
    async readRepository() {
      const current = await readHostedRepository(reading);
      cloneUrl = current.cloneUrl;
      return current.repository;
    },
    readBranch: (branch) => readHostedBranch(branch, reading),
    readFile: (path, ref) => readHostedFile(path, ref, reading),
    readDiscussion: (place, maxComments) =>
      readDiscussion(place, maxComments, { ...listing, conversation, appId }),
    resolveThreads: (number, ids) => resolveRequestedThreads(number, ids, publishing),
    pushAccess: () => accessWith("push"),
    commitIdentity: () => readCommitIdentity({ read, slug: deps.slug, apiUrl: connection.apiUrl }),
    openPullRequest: (request) => proposePullRequest(request, publishing),
    missingPermission: {
      push: `The GitHub App needs the permission "Contents: write" on this repository.`,
      resolve: "GitHub requires the app's permission `Contents: read and write` for it.",
    },
    limitWrites: () => void (isForOutsider = true),
    close: () => tokens.revokeAll(),
  } satisfies ForgeSession;
}

/** Progress and final notices skip the check, because the worker that holds the job overwrites them anyway. */
async function neverLost(): Promise<boolean> {
  return false;
}
