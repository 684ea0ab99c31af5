/**
 * The GitHub adapter of the Forge port: combines the app's credentials, a rate limiter per installation and the operations.
 * Works with github.com and GitHub Enterprise Server.
 */
import { createPrivateKey } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { KodiaiError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Forge } from "../forge.ts";
import { hostOfApi } from "./api-host.ts";
import {
  type AppConnection,
  createAppClient,
  createTokenClient,
  type GithubClient,
} from "./github-client.ts";
import { findRepositoryRef } from "./find-repository.ts";
import { createGithubSession } from "./github-session.ts";
import { listOpenPullRequests } from "./list-open-pull-requests.ts";
import { createMarkers } from "./markers.ts";
import { createEventReader } from "./parse-event.ts";
import { createOwnerFiles } from "./read-owner-file.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { redeliverFailed } from "./redeliver-failed.ts";
import { createSessionTokens } from "./session-tokens.ts";

export type GithubForgeOptions = {
  readonly appId: number;
  readonly privateKeyPem: string;
  readonly webhookSecret: string;
  /** The old secret during a rotation. Markers signed with it stay valid. */
  readonly previousWebhookSecret?: string | null;
  /** `https://api.github.com`, or `https://host/api/v3` of an Enterprise Server. */
  readonly apiUrl: string;
  readonly userAgent: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Tests replace it to skip the wait. */
  readonly sleep?: (delayMs: number) => Promise<void>;
  /** Called when GitHub names a time before which nothing may be sent. */
  readonly onRateLimit?: (limit: RateLimit) => void;
  readonly log: Log;
};

/** The app may be renamed while Kodiai runs, and its earlier texts then appear under the new name. */
const SLUG_FRESH_MS = 10 * 60_000;

const MISSING_PERMISSION = {
  push: `The GitHub App needs the permission "Contents: write" on this repository.`,
  resolve: "GitHub requires the app's permission `Contents: read and write` for it.",
};

/** The installation is null for calls of the app itself. */
export type RateLimit = { readonly installationId: number | null; readonly untilMs: number };

export function createGithubForge(options: GithubForgeOptions): Forge {
  requirePrivateKey(options.privateKeyPem);
  const { appId, now, log, sleep = (delayMs) => delay(delayMs) } = options;
  const host = hostOfApi(options.apiUrl);
  const { webhookSecret, previousWebhookSecret = null } = options;
  const markers = createMarkers(
    webhookSecret,
    ...(previousWebhookSecret === null ? [] : [previousWebhookSecret]),
  );
  const limiters = new Map<number, RateLimiter>();
  const limiterOf = (installationId: number): RateLimiter => {
    const limiter = limiters.get(installationId) ?? createRateLimiter({ now, sleep });
    limiters.set(installationId, limiter);
    return limiter;
  };
  const connectionFor = (installationId: number | null): AppConnection => ({
    ...options,
    sleep,
    onRateLimit: (untilMs) => options.onRateLimit?.({ installationId, untilMs }),
  });
  const app = createAppClient(connectionFor(null), createRateLimiter({ now, sleep }));
  const clientOf = (installationId: number, token: { value: string; mintedAtMs: number }): GithubClient =>
    createTokenClient(connectionFor(installationId), limiterOf(installationId), async () => token);

  const ownerFiles = createOwnerFiles({ app, clientOf, now, log });

  let knownSlug: string | null = null;
  let learnedAtMs = 0;
  const events = (): ReturnType<typeof createEventReader> =>
    createEventReader({ appId, slug: knownSlug, host });
  const learnSlug = async (): Promise<string> => {
    const { data } = await app.request("GET /app");
    const slug = data?.slug;
    if (slug === undefined) throw new Error("GitHub returned the app without its slug");
    knownSlug = slug;
    learnedAtMs = now();
    return slug;
  };
  const currentSlug = async (): Promise<string> =>
    knownSlug !== null && now() - learnedAtMs < SLUG_FRESH_MS ? knownSlug : learnSlug();
  return {
    name: "github",
    slug: () => events().slug(),
    parseEvent: (delivery) => events().parseEvent(delivery),
    openSession: (repositoryRef) =>
      createGithubSession(repositoryRef, {
        connection: connectionFor(repositoryRef.installationId),
        openTokens: (clientOfToken) =>
          createSessionTokens({ ...repositoryRef, app, clientOf: clientOfToken, now, log }),
        limiter: limiterOf(repositoryRef.installationId),
        markers,
        own: async () => ({ login: `${await currentSlug()}[bot]`, appId, isShared: false }),
        mention: async () => `@${await currentSlug()}`,
        missingPermission: MISSING_PERMISSION,
        hasGivenToken: false,
        isSecretKey: true,
        ownerFiles,
      }),
    findRepository: (owner, name) => findRepositoryRef(owner, name, { app, host, clientOf, now, log }),
    redeliverFailed: (withinMs) => redeliverFailed(withinMs, { app, log, now }),
    listOpenPullRequests: () => listOpenPullRequests({ app, host, clientOf, now, log }),
    checkCredentials: async () => ({ slug: await learnSlug() }),
  } satisfies Forge;
}

/** Fails at startup rather than in the first job. The error never contains the key. */
function requirePrivateKey(pem: string): void {
  try {
    createPrivateKey(pem);
  } catch {
    throw new KodiaiError("config", "GITHUB_PRIVATE_KEY is not a private key", {
      hint: "Generate a private key in the settings of the GitHub App, and set the variable to the whole file or its path.",
    });
  }
}
