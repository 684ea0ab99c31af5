/** One job's access to one repository: its tokens, reads and writes. Nothing outlives `close`. */
import type { ForgeSession, RepositoryRef } from "../forge.ts";
import type { RemoteAccess } from "../../repository/repository.ts";
import { requireCloneUrl } from "./clone-url.ts";
import { createConversationAccess } from "./conversation-access.ts";
import { createTokenClient, type GithubClient, type GithubConnection, type Token } from "./github-client.ts";
import { outcomeUnknown } from "./github-error.ts";
import type { Markers } from "./markers.ts";
import type { OwnAccount } from "./own-account.ts";
import { isReviewVisible } from "./publish/is-review-visible.ts";
import { publish } from "./publish/publish.ts";
import { publishAnswer } from "./publish/publish-answer.ts";
import { startCheck, writeCheck } from "./publish/publish-check.ts";
import { proposePullRequest } from "./publish/propose-pull-request.ts";
import { type PublishDeps, summaryScope, unlessRefused } from "./publish/publishing.ts";
import { readState } from "./publish/read-state.ts";
import { reopenRequestedThreads, resolveRequestedThreads } from "./publish/resolve-requested-threads.ts";
import { updateProposal } from "./publish/update-proposal.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { createJobLogs } from "./job-logs.ts";
import { readChecks } from "./read-checks.ts";
import { readCommitIdentity } from "./read-commit-identity.ts";
import { readDiscussion } from "./read-discussion.ts";
import { readHostedFile } from "./read-hosted-file.ts";
import { type ReadDeps, readHostedBranch, readHostedRepository } from "./read-hosted-repository.ts";
import type { OwnerFiles } from "./read-owner-file.ts";
import { readIssue } from "./read-issue.ts";
import { countMergedPullRequests, hasWriteAccess, readPullRequest } from "./read-pull-request.ts";
import { readThreads, type ReadThreadsDeps } from "./read-threads.ts";
import { createRepositoryCalls } from "./repository-calls.ts";
import type { TokenPurpose } from "./app-requirements.ts";
import type { SessionTokens } from "./session-tokens.ts";

export type SessionDeps = {
  readonly connection: GithubConnection;
  /** `clientOf` makes a client that uses the given token within the session's limits. */
  readonly openTokens: (clientOf: (token: Token) => GithubClient) => SessionTokens;
  readonly limiter: RateLimiter;
  readonly markers: Markers;
  readonly own: () => Promise<OwnAccount>;
  /** How people address Kodiai in a comment, such as "@kodiai". */
  readonly mention: () => Promise<string>;
  readonly missingPermission: ForgeSession["missingPermission"];
  readonly hasGivenToken: boolean;
  /**
   * Whether only the operator knows the key of the markers. Otherwise a state is believed only on branches of the repository: their
   * authors could change the workflow too.
   */
  readonly isSecretKey: boolean;
  readonly ownerFiles: OwnerFiles;
};

export function createGithubSession(repositoryRef: RepositoryRef, deps: SessionDeps): ForgeSession {
  const access = openAccess(repositoryRef, deps);
  const { reading, publishing, remote } = access;
  return {
    pullRequests: {
      read: async (number) => remote.learn(await readPullRequest(number, reading)).pullRequest,
      open: (request) => proposePullRequest(request, { ...publishing, repositoryRef }),
      update: (update) => updateProposal(update, { ...publishing, repositoryRef }),
    },
    issues: { read: (number) => readIssue(number, access.issues) },
    reviews: {
      publish: (request) => publish(request, publishing),
      isVisible: (begun) => isReviewVisible(begun, publishing),
      async readState(number) {
        const isBelieved = deps.isSecretKey || !(await readPullRequest(number, reading)).pullRequest.isFork;
        return isBelieved ? readState(summaryScope(repositoryRef, number), publishing) : null;
      },
      readThreads: publishing.readThreads,
      resolveThreads: (number, ids) => resolveRequestedThreads(number, ids, publishing),
      reopenThreads: (number, ids) => reopenRequestedThreads(number, ids, publishing),
    },
    checks: {
      read: (head) => readChecks(head, access.checks),
      async start(pullRequest, journal) {
        // The workflow that gave the token shows the progress, and two of its processes would start two checks.
        if (deps.hasGivenToken) return;
        await startCheck({ pullRequest, head: pullRequest.head, journal, isLost: neverLost }, publishing);
      },
      async conclude(pullRequest, notice, journal) {
        const target = { pullRequest, head: pullRequest.head, journal, isLost: neverLost };
        const outcome = await unlessRefused(publishing, () => writeCheck(target, notice, publishing));
        if (outcome?.kind === "unknown") throw outcomeUnknown(outcome.untilMs, "the check");
      },
    },
    comments: {
      readDiscussion: (place, maxComments) => readDiscussion(place, maxComments, access.discussions),
      answer: (request) => publishAnswer(request, publishing),
      react: publishing.calls.react,
    },
    people: {
      hasWriteAccess: (login) => hasWriteAccess(login, reading),
      countMergedPullRequests: (login) => countMergedPullRequests(login, reading),
    },
    contents: {
      readRepository: async () => remote.learn(await readHostedRepository(reading)).repository,
      readBranch: (branch) => readHostedBranch(branch, reading),
      readFile: (path, ref) => readHostedFile(path, ref, reading),
      readOwnerFile: (path) => deps.ownerFiles.read(path, repositoryRef, reading.read),
      cloneAccess: () => remote.accessFor("read"),
      pushAccess: () => remote.accessFor("push"),
      commitIdentity: () =>
        readCommitIdentity({ read: reading.read, own: deps.own, apiUrl: deps.connection.apiUrl }),
    },
    missingPermission: deps.missingPermission,
    mention: deps.mention,
    limitWrites: access.limitWrites,
    close: access.close,
  } satisfies ForgeSession;
}

/** The session's tokens, and what each kind of read and write needs of them. */
function openAccess(repositoryRef: RepositoryRef, { connection, markers, own, ...deps }: SessionDeps) {
  let isForOutsider = false;
  const limiter: RateLimiter = {
    ...deps.limiter,
    run: (call, send) => deps.limiter.run({ ...call, isForOutsider }, send),
  };
  const { now, sleep, log } = connection;
  const tokens = deps.openTokens((token) => createTokenClient(connection, limiter, async () => token));
  const clientFor = (purpose: TokenPurpose) =>
    createTokenClient(connection, limiter, () => tokens.get(purpose));
  const [read, write, resolve] = [clientFor("read"), clientFor("write"), clientFor("resolve")];
  const conversation = createConversationAccess({ read, write, issue: clientFor("issue") });
  const nameFor = async (purpose: TokenPurpose) =>
    (await tokens.currentName(purpose)) ?? { owner: repositoryRef.owner, repo: repositoryRef.name };
  const name = () => nameFor("read");
  const reading: ReadDeps = { read, name, repositoryRef, own };
  const threads: ReadThreadsDeps = { read, name, repositoryRef, own, markers };
  const publishing: PublishDeps = {
    calls: createRepositoryCalls({ read, write, resolve, conversation, name: nameFor, own }),
    markers,
    readCurrent: async (number) => (await readPullRequest(number, reading)).pullRequest,
    readThreads: (number) => readThreads(number, threads),
    hasGivenToken: deps.hasGivenToken,
    now,
    sleep,
    log,
  };
  return {
    reading,
    publishing,
    discussions: { ...threads, conversation },
    issues: { conversation, name: () => nameFor("issue"), repositoryRef },
    checks: {
      client: write,
      name: () => nameFor("write"),
      own,
      readJobLog: createJobLogs({
        client: clientFor("logs"),
        name: () => nameFor("logs"),
        apiUrl: connection.apiUrl,
        log: connection.log,
      }),
    },
    remote: createRemote(tokens, connection.apiUrl),
    limitWrites: () => void (isForOutsider = true),
    close: () => tokens.revokeAll(),
  };
}

/** Git's access to the repository, whose address GitHub reports together with the repository or a pull request. */
function createRemote(tokens: SessionTokens, apiUrl: string) {
  let cloneUrl: string | null = null;
  return {
    learn<Read extends { readonly cloneUrl: string }>(read: Read): Read {
      ({ cloneUrl } = read);
      return read;
    },
    accessFor(purpose: "read" | "push"): RemoteAccess {
      if (cloneUrl === null) throw new Error("git's access is known after reading the repository");
      return {
        url: requireCloneUrl(cloneUrl, apiUrl),
        credential: async () => ({
          username: "x-access-token",
          password: (await tokens.get(purpose)).value,
        }),
      };
    },
  };
}

/** Progress and final notices skip the check, because the worker that holds the job overwrites them anyway. */
async function neverLost(): Promise<boolean> {
  return false;
}
