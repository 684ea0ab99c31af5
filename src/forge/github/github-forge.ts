/**
 * The GitHub adapter of the Forge port: binds the app's credentials, the limits of each installation and the verbs. Works
 * with github.com and with GitHub Enterprise Server.
 */
import { createPrivateKey } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { KodiaiError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Forge } from "../forge.ts";
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
import { parseEvent } from "./parse-event.ts";
import { createRateGate, type RateGate } from "./rate-gate.ts";
import { redeliverFailed } from "./redeliver-failed.ts";

export type GithubForgeOptions = {
  readonly appId: number;
  readonly privateKeyPem: string;
  readonly webhookSecret: string;
  /** While the secret is being replaced: what was signed with it before is still ours. */
  readonly previousWebhookSecret?: string | null;
  /** `https://api.github.com`, or `https://host/api/v3` of an Enterprise Server. */
  readonly apiUrl: string;
  readonly userAgent: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Waits; tests pass one that does not. */
  readonly sleep?: (delayMs: number) => Promise<void>;
  /** Told when GitHub named a time before which nothing may be sent. */
  readonly onRateLimit?: (limit: RateLimit) => void;
  readonly log: Log;
};

/** What most people will have named it. */
const DEFAULT_SLUG = "kodiai";

/** Somebody may rename the app while we run; what we wrote is then found under its new name. */
const SLUG_FRESH_MS = 10 * 60_000;

/** The installation is null for calls of the app itself. */
export type RateLimit = { readonly installationId: number | null; readonly untilMs: number };

export function createGithubForge(options: GithubForgeOptions): Forge {
  requirePrivateKey(options.privateKeyPem);
  const { appId, now, log, sleep = (delayMs) => delay(delayMs) } = options;
  const { webhookSecret, previousWebhookSecret = null } = options;
  const markers = createMarkers(
    webhookSecret,
    ...(previousWebhookSecret === null ? [] : [previousWebhookSecret]),
  );
  const gates = new Map<number, RateGate>();
  const gateOf = (installationId: number): RateGate => {
    const gate = gates.get(installationId) ?? createRateGate({ now, sleep });
    gates.set(installationId, gate);
    return gate;
  };
  const connectionFor = (installationId: number | null): AppConnection => ({
    ...options,
    sleep,
    onRateLimit: (untilMs) => options.onRateLimit?.({ installationId, untilMs }),
  });
  const app = createAppClient(connectionFor(null), createRateGate({ now, sleep }));
  const clientOf = (installationId: number, token: { value: string; mintedAtMs: number }): GithubClient =>
    createTokenClient(connectionFor(installationId), gateOf(installationId), async () => token);

  let knownSlug: string | null = null;
  let learnedAtMs = 0;
  const learnSlug = async (): Promise<string> => {
    const { data } = await app.request("GET /app");
    const slug = data?.slug;
    if (slug === undefined) throw new Error("GitHub named the app without its slug");
    knownSlug = slug;
    learnedAtMs = now();
    return slug;
  };
  const currentSlug = async (): Promise<string> =>
    knownSlug !== null && now() - learnedAtMs < SLUG_FRESH_MS ? knownSlug : learnSlug();
  return {
    slug: () => knownSlug ?? DEFAULT_SLUG,
    parseEvent: (delivery) => parseEvent(delivery, { appId, slug: knownSlug }),
    openSession: (repositoryRef) =>
      createGithubSession(repositoryRef, {
        connection: connectionFor(repositoryRef.installationId),
        app,
        gate: gateOf(repositoryRef.installationId),
        markers,
        slug: currentSlug,
      }),
    findRepository: (owner, name) => findRepositoryRef(owner, name, { app, clientOf, now, log }),
    redeliverFailed: (withinMs) => redeliverFailed(withinMs, { app, log, now }),
    listOpenPullRequests: () => listOpenPullRequests({ app, clientOf, now, log }),
    checkCredentials: async () => ({ slug: await learnSlug() }),
  } satisfies Forge;
}

/** Found out at the start rather than in the first job. The key itself is told to nobody. */
function requirePrivateKey(pem: string): void {
  try {
    createPrivateKey(pem);
  } catch {
    throw new KodiaiError("config", "GITHUB_PRIVATE_KEY is not a private key", {
      hint: "Generate a private key in the settings of the GitHub App and give the whole file, or its path.",
    });
  }
}
