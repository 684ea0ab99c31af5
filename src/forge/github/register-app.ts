/**
 * Registers a GitHub App by GitHub's manifest flow: a person's browser posts the manifest to GitHub, GitHub returns a code, and one
 * call turns the code into the app and its credentials. Nothing is stored or logged here.
 */
import { setTimeout as delay } from "node:timers/promises";
import { KodiaiError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { apiUrlOf } from "./api-host.ts";
import { composeManifest, type ManifestRequest, requestedPermissions } from "./app-manifest.ts";
import { type AppGrants, describeEvent, describePermission, findMissingGrants } from "./app-requirements.ts";
import {
  createAppClient,
  createTokenClient,
  type GithubClient,
  type GithubConnection,
} from "./github-client.ts";
import { hasStatus } from "./github-error.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { PAGE_SIZE } from "./repository-calls.ts";
import { revokeToken } from "./session-tokens.ts";

type Credentials = {
  readonly appId: number;
  readonly privateKeyPem: string;
};

type RegistrarOptions = {
  /** The address that people open: `https://github.com`, or that of an Enterprise Server. */
  readonly webUrl: string;
  readonly userAgent: string;
  readonly log: Log;
};

export function createAppRegistrar({ webUrl, userAgent, log }: RegistrarOptions) {
  const apiUrl = apiUrlOf(webUrl);
  const now = Date.now;
  const sleep = (delayMs: number): Promise<void> => delay(delayMs);
  const connection: GithubConnection = { apiUrl, userAgent, now, sleep, onRateLimit: () => {}, log };
  const limiter = createRateLimiter({ now, sleep });
  const appClient = (credentials: Credentials): GithubClient =>
    createAppClient({ ...connection, ...credentials }, limiter);

  return {
    apiUrl,
    /** The form that the person's browser posts to GitHub. The state is added to its address. */
    composeForm(request: ManifestRequest & { readonly organization: string | null }) {
      const { origin } = new URL(webUrl);
      const owner =
        request.organization === null ? "" : `/organizations/${encodeURIComponent(request.organization)}`;
      return {
        action: `${origin}${owner}/settings/apps/new`,
        manifest: composeManifest(request),
        permissions: requestedPermissions(request.isComplete).map(
          (permission) => `${describePermission(permission)}, to ${permission.use}`,
        ),
      };
    },
    /** Null if the code was used, has expired, or isn't one of GitHub's. */
    async convertCode(code: string) {
      const anonymous = createTokenClient(connection, limiter, async () => null);
      try {
        const { data } = await anonymous.request("POST /app-manifests/{code}/conversions", { code });
        const { id: appId, pem: privateKeyPem, webhook_secret: webhookSecret } = data;
        const { slug = "", html_url: pageUrl } = data;
        if (webhookSecret === null) throw withoutSecret(pageUrl);
        const { client_id: clientId, client_secret: clientSecret } = data;
        return { appId, privateKeyPem, webhookSecret, clientId, clientSecret, slug, pageUrl };
      } catch (error) {
        if (hasStatus(error, 404) || hasStatus(error, 422)) return null;
        throw error;
      }
    },
    /** The app that has these credentials. Null if there is none. */
    async identifyApp(credentials: Credentials) {
      try {
        const { data } = await appClient(credentials).request("GET /app");
        if (data?.slug === undefined) return null;
        const { slug, html_url: pageUrl, permissions, events } = data;
        return { slug, pageUrl, missing: describeMissing({ permissions, events }) };
      } catch (error) {
        const isWrong = error instanceof KodiaiError && (hasStatus(error, 401) || hasStatus(error, 404));
        if (isWrong) return null;
        throw error;
      }
    },
    /** The accounts that have installed the app, with their repositories. */
    async listInstallations(credentials: Credentials) {
      const app = appClient(credentials);
      const installations = await app.paginate("GET /app/installations", { per_page: PAGE_SIZE });
      const listed = [];
      for (const { id, account } of installations) {
        const repositories = await listRepositories(app, id);
        const login = account !== null && "login" in account ? account.login : `installation ${id}`;
        listed.push({ account: login, repositories });
      }
      return listed;
    },
  };

  async function listRepositories(app: GithubClient, installationId: number): Promise<readonly string[]> {
    const mintedAtMs = now();
    const { data } = await app.request("POST /app/installations/{installation_id}/access_tokens", {
      installation_id: installationId,
      permissions: { metadata: "read" },
    });
    const token = { value: data.token, mintedAtMs };
    const client = createTokenClient(connection, limiter, async () => token);
    try {
      const repositories = await client.paginate("GET /installation/repositories", { per_page: PAGE_SIZE });
      return repositories.map(({ full_name: name }) => name);
    } finally {
      await revokeToken(token, { clientOf: () => client, log });
    }
  }
}

/** Only what is required, because the operator may have left out the rest on purpose. */
function describeMissing(grants: AppGrants): readonly string[] {
  const { permissions, events } = findMissingGrants(grants);
  return [
    ...permissions.filter(({ isRequired }) => isRequired).map(describePermission),
    ...events.filter(({ isRequired }) => isRequired).map((event) => `the event ${describeEvent(event)}`),
  ];
}

/** GitHub's description allows an app without a secret, whose webhooks anyone could send. */
function withoutSecret(pageUrl: string): KodiaiError {
  return new KodiaiError("forbidden", "GitHub created the app without a webhook secret", {
    hint: `Delete the app at ${pageUrl}, or set it up by hand as docs/github-app.md describes.`,
  });
}
