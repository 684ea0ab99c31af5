/**
 * The Forge of one given token: that of a workflow (`GITHUB_TOKEN`), a person's, or one that another app made. Every call uses it.
 * Nothing is created and nothing revoked. It has no webhooks and no installations.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../base/log.ts";
import type { Forge, ForgeSession } from "../forge.ts";
import { hostOfApi } from "./api-host.ts";
import { createTokenClient, type GithubConnection } from "./github-client.ts";
import { unlessGone } from "./github-error.ts";
import { createGithubSession } from "./github-session.ts";
import { createMarkers } from "./markers.ts";
import type { OwnAccount } from "./own-account.ts";
import { createEventReader, NO_INSTALLATION } from "./parse-event.ts";
import { readOwnerFile } from "./read-owner-file.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { PAGE_SIZE } from "./repository-calls.ts";
import { readTokenAccount } from "./read-token-account.ts";
import type { SessionTokens } from "./session-tokens.ts";

export type TokenForgeOptions = {
  readonly token: string;
  /** `https://api.github.com`, or `https://host/api/v3` of an Enterprise Server. */
  readonly apiUrl: string;
  readonly userAgent: string;
  /** Nothing is written, whatever the token may do. Missing: no. */
  readonly isReadOnly?: boolean;
  /** Signs markers. Null: with a key that anyone can derive. */
  readonly markerSecret: string | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Tests replace it to skip the wait. */
  readonly sleep?: (delayMs: number) => Promise<void>;
  readonly log: Log;
};

/** People can't mention `@github-actions`, and a person's own name would notify them. */
const MENTIONED_NAME = "kodiai";

const MISSING_PERMISSION: ForgeSession["missingPermission"] = {
  push: "The token needs the permission `contents: write` on this repository.",
  resolve: "GitHub requires the token's permission `contents: write` for it.",
};

export type TokenForge = Forge & {
  /** The numbers of a repository's open pull requests, the last changed first. */
  listOpenNumbers(owner: string, name: string): AsyncIterable<number>;
};

export async function createTokenForge(options: TokenForgeOptions): Promise<TokenForge> {
  const { apiUrl, now, log, sleep = (delayMs) => delay(delayMs) } = options;
  const host = hostOfApi(apiUrl);
  // A given token never counts as fresh, unlike an installation token that GitHub may not accept everywhere yet.
  const token = { value: options.token, mintedAtMs: 0 };
  const connection: GithubConnection = { ...options, sleep, onRateLimit: () => {} };
  const limiter = createRateLimiter({ now, sleep });
  const client = createTokenClient(connection, limiter, async () => token);
  const account = await readTokenAccount(client, log);
  const tokens: SessionTokens = {
    get: async () => token,
    currentName: async () => null,
    revokeAll: async () => {},
  };
  const markers = createMarkers(options.markerSecret ?? publicSecret(host));
  const events = createEventReader({ host, appId: null, slug: MENTIONED_NAME, account });
  return {
    name: "github",
    slug: events.slug,
    parseEvent: events.parseEvent,
    openSession: (repositoryRef) =>
      createGithubSession(repositoryRef, {
        connection,
        openTokens: () => tokens,
        limiter,
        markers,
        own: async (): Promise<OwnAccount> => account,
        mention: async () => `@${MENTIONED_NAME}`,
        missingPermission: MISSING_PERMISSION,
        hasGivenToken: true,
        isSecretKey: options.markerSecret !== null,
        ownerFiles: { read: (path, { owner }, read) => readOwnerFile(path, owner, read) },
      }),
    async findRepository(owner, name) {
      const found = await unlessGone(async () =>
        client.request("GET /repos/{owner}/{repo}", { owner, repo: name }),
      );
      if (found === null) return null;
      const { id, owner: holder, name: current } = found.data;
      return {
        host,
        installationId: NO_INSTALLATION,
        forgeId: Number(id),
        owner: holder.login,
        name: current,
      };
    },
    redeliverFailed: async () => 0,
    async *listOpenPullRequests() {},
    async *listOpenNumbers(owner, name) {
      for await (const { data } of client.paginate.iterator("GET /repos/{owner}/{repo}/pulls", {
        owner,
        repo: name,
        state: "open",
        sort: "updated",
        direction: "desc",
        per_page: PAGE_SIZE,
      }))
        yield* data.map(({ number }) => number);
    },
    checkCredentials: async () => ({ slug: account.login }),
  } satisfies TokenForge;
}

/** Tells our markers from accidents, not from forgeries: anyone can derive it. Their scope names the repository. */
function publicSecret(host: string): string {
  return `kodiai, without a secret, on ${host}`;
}
