/** Reads a pull request without the app: with a user's token, or anonymously. Never writes. */
import { setTimeout as delay } from "node:timers/promises";
import { KodiaiError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { RemoteAccess } from "../../repository/repository.ts";
import type { OwnerFile, PullRequest } from "../forge.ts";
import { hostOfApi } from "./api-host.ts";
import { requireCloneUrl } from "./clone-url.ts";
import { createTokenClient, type GithubClient } from "./github-client.ts";
import { readOwnerFile } from "./read-owner-file.ts";
import { readPullRequest } from "./read-pull-request.ts";
import { createRateLimiter } from "./rate-limiter.ts";

export type GithubReaderOptions = {
  readonly apiUrl: string;
  readonly userAgent: string;
  /** Null for anonymous access. */
  readonly token: string | null;
  readonly log: Log;
};

export type PullRequestName = { readonly owner: string; readonly name: string; readonly number: number };

export type ViewedPullRequest = {
  readonly pullRequest: PullRequest;
  readonly access: RemoteAccess;
  readonly readOwnerFile: (path: string) => Promise<OwnerFile>;
};

export function createReaderClient({ token, ...options }: GithubReaderOptions): GithubClient {
  const now = Date.now;
  const sleep = (delayMs: number): Promise<void> => delay(delayMs);
  const connection = { ...options, now, sleep, onRateLimit: () => {} };
  // A user's token never counts as fresh, unlike an installation token that GitHub may not accept everywhere yet.
  const given = token === null ? null : { value: token, mintedAtMs: 0 };
  return createTokenClient(connection, createRateLimiter({ now, sleep }), async () => given);
}

export async function readPullRequestAs(
  { owner, name, number }: PullRequestName,
  options: GithubReaderOptions,
): Promise<ViewedPullRequest> {
  const { token } = options;
  const read = createReaderClient(options);
  const current = await withTokenHint(async () => {
    const repository = { owner, repo: name };
    const { data } = await read.request("GET /repos/{owner}/{repo}", repository);
    // No database gives it an id here. The caller keeps clones of each host apart.
    const forgeId = Number(data.id);
    const host = hostOfApi(options.apiUrl);
    const repositoryRef = { host, installationId: 0, forgeId, repositoryId: forgeId, owner, name };
    return readPullRequest(number, {
      read,
      name: async () => repository,
      repositoryRef,
      own: null,
    });
  });
  const credential = token === null ? null : async () => ({ username: "x-access-token", password: token });
  return {
    pullRequest: current.pullRequest,
    access: { url: requireCloneUrl(current.cloneUrl, options.apiUrl), credential },
    readOwnerFile: (path) => readOwnerFile(path, owner, read),
  };
}

/** Without access, a private repository and a missing one look the same. */
async function withTokenHint<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof KodiaiError) || (error.code !== "not-found" && error.code !== "forbidden"))
      throw error;
    throw new KodiaiError(error.code, error.message, {
      hint: "Check the address. For a private repository, set GITHUB_TOKEN to a token that can read it.",
    });
  }
}
