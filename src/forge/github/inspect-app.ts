/** The GitHub adapter of the AppInspection port. */
import { setTimeout as delay } from "node:timers/promises";
import type { AppInspection, Installed, MissingGrant } from "../app-inspection.ts";
import { type AppGrants, describeEvent, describePermission, findMissingGrants } from "./app-requirements.ts";
import {
  type AppConnection,
  createAppClient,
  createTokenClient,
  type GithubClient,
} from "./github-client.ts";
import { unlessGone } from "./github-error.ts";
import { toLocalTime } from "./github-time.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { PAGE_SIZE } from "./repository-calls.ts";
import { revokeToken } from "./session-tokens.ts";

export type InspectionOptions = Omit<AppConnection, "sleep" | "onRateLimit">;

export function createGithubInspection(options: InspectionOptions): AppInspection {
  const { now } = options;
  const sleep = (delayMs: number): Promise<void> => delay(delayMs);
  const connection: AppConnection = { ...options, sleep, onRateLimit: () => {} };
  const limiter = createRateLimiter({ now, sleep });
  const app = createAppClient(connection, limiter);
  return {
    async readApp() {
      const { data } = await app.request("GET /app");
      if (data?.slug === undefined) throw new Error("GitHub returned the app without its slug");
      const { slug, permissions, events } = data;
      return { slug, missing: listMissing({ permissions, events }) };
    },
    async readWebhook() {
      const answer = await unlessGone(() => app.request("GET /app/hook/config"));
      const { url = "", content_type: contentType, insecure_ssl: insecure = "0" } = answer?.data ?? {};
      return {
        url: url === "" ? null : url,
        isJson: contentType === "json",
        verifiesTls: String(insecure) === "0",
      };
    },
    async listDeliveries() {
      const { data, headers } = await app.request("GET /app/hook/deliveries", { per_page: PAGE_SIZE });
      return data.map(({ guid, event, delivered_at: at, status_code: status, status: outcome }) => ({
        guid,
        event,
        at: toLocalTime(Date.parse(at), headers, now()),
        status,
        outcome,
      }));
    },
    async listInstallations() {
      const { data } = await app.request("GET /app/installations", { per_page: PAGE_SIZE });
      return { installed: data.map(toInstalled), isAll: data.length < PAGE_SIZE };
    },
    countRepositories: (id) => countRepositories(id, { app, connection, limiter }),
    async findInstallation(owner, repo) {
      const answer = await unlessGone(() =>
        app.request("GET /repos/{owner}/{repo}/installation", { owner, repo }),
      );
      return answer === null ? null : toInstalled(answer.data);
    },
  } satisfies AppInspection;
}

type CountingDeps = {
  readonly app: GithubClient;
  readonly connection: AppConnection;
  readonly limiter: RateLimiter;
};

async function countRepositories(
  installationId: number,
  { app, connection, limiter }: CountingDeps,
): Promise<number> {
  const mintedAtMs = connection.now();
  const { data } = await app.request("POST /app/installations/{installation_id}/access_tokens", {
    installation_id: installationId,
    permissions: { metadata: "read" },
  });
  const token = { value: data.token, mintedAtMs };
  const client = createTokenClient(connection, limiter, async () => token);
  try {
    const answer = await client.request("GET /installation/repositories", { per_page: 1 });
    return answer.data.total_count;
  } finally {
    await revokeToken(token, { clientOf: () => client, log: connection.log });
  }
}

type InstallationData = {
  readonly id: number;
  readonly account?: object | null;
  readonly suspended_at?: string | null;
  readonly permissions: object;
  readonly events: readonly string[];
  readonly html_url: string;
};

function toInstalled({
  id,
  account,
  suspended_at: suspendedAt,
  permissions,
  events,
  html_url: url,
}: InstallationData): Installed {
  const login = account != null && "login" in account ? String(account.login) : `installation ${id}`;
  // Every permission is "read", "write" or "admin".
  const granted = permissions as AppGrants["permissions"];
  const missing = listMissing({ permissions: granted, events });
  return { id, account: login, isSuspended: suspendedAt != null, missing, url };
}

function listMissing(grants: AppGrants): readonly MissingGrant[] {
  const { permissions, events } = findMissingGrants(grants);
  return [
    ...permissions.map((permission) => ({
      kind: "permission" as const,
      name: describePermission(permission),
      isRequired: permission.isRequired,
      use: permission.use,
    })),
    ...events.map((event) => ({
      kind: "event" as const,
      name: describeEvent(event),
      isRequired: event.isRequired,
      use: event.use,
    })),
  ];
}
