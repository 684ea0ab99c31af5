/** The app: its identity, its installations, its tokens, and its delivery log. */
import { convertCode } from "../app-manifest.ts";
import { accessibleRepositories, mintToken } from "../authentication.ts";
import {
  type Call,
  created,
  type Handler,
  numberIn,
  ok,
  pageOf,
  requireApp,
  textIn,
  tokenOf,
} from "../call.ts";
import { isoTime } from "../clock.ts";
import { isObject } from "../json.ts";
import { presentApp, presentInstallation } from "../present/app.ts";
import { presentRepository } from "../present/repository.ts";
import { notFound } from "../refusal.ts";
import { findRepository, type Installation, type Permissions, type Repository } from "../world.ts";

function installationOf(call: Call): Installation {
  const id = numberIn(call.params, "installation_id");
  const found = call.world.installations.find((each) => each.id === id && !each.isDeleted);
  if (found === undefined) throw notFound();
  return found;
}

function requestedRepositories(call: Call, installation: Installation): readonly number[] | null {
  const { repository_ids: ids, repositories: names } = call.body;
  // The description check ensures that these are lists of numbers and names.
  if (Array.isArray(ids)) return ids as readonly number[];
  if (!Array.isArray(names)) return null;
  const found = (names as readonly string[]).map((name) =>
    findRepository(call.world, installation.account.login, name),
  );
  // An unknown id is refused later, like an unknown name.
  return found.map((repository: Repository | null) => repository?.id ?? -1);
}

const getAuthenticated: Handler = (call) => {
  requireApp(call);
  const count = call.world.installations.filter((each) => !each.isDeleted).length;
  return ok({ ...presentApp(call.world), installations_count: count });
};

const listInstallations: Handler = (call) => {
  requireApp(call);
  const { items, headers } = pageOf(
    call,
    call.world.installations.filter((each) => !each.isDeleted),
  );
  return ok(
    items.map((each) => presentInstallation(call.world, each)),
    headers,
  );
};

const getInstallation: Handler = (call) => {
  requireApp(call);
  return ok(presentInstallation(call.world, installationOf(call)));
};

const getRepositoryInstallation: Handler = (call) => {
  requireApp(call);
  const { owner, repo } = call.params;
  const installation = findRepository(call.world, String(owner), String(repo))?.installation ?? null;
  if (installation === null || installation.isDeleted) throw notFound();
  return ok(presentInstallation(call.world, installation));
};

const createAccessToken: Handler = (call) => {
  requireApp(call);
  const installation = installationOf(call);
  const repositoryIds = requestedRepositories(call, installation);
  const { permissions } = call.body;
  const token = mintToken(call.world, installation, {
    // The description check ensures valid levels.
    permissions: isObject(permissions) ? (permissions as Permissions) : null,
    repositoryIds,
  });
  const repositories = accessibleRepositories(call.world, token);
  return created({
    token: token.value,
    expires_at: isoTime(token.expiresAtMs),
    permissions: token.permissions,
    repository_selection: repositoryIds === null ? "all" : "selected",
    ...(repositoryIds === null
      ? {}
      : { repositories: repositories.map((each) => presentRepository(call.world, each)) }),
  });
};

const revokeAccessToken: Handler = (call) => {
  tokenOf(call).isRevoked = true;
  return { status: 204, body: undefined };
};

const listAccessibleRepositories: Handler = (call) => {
  const all = accessibleRepositories(call.world, tokenOf(call));
  const { items, headers } = pageOf(call, all);
  const body = {
    total_count: all.length,
    repositories: items.map((each) => presentRepository(call.world, each)),
  };
  return ok(body, headers);
};

const getWebhookConfig: Handler = (call) => {
  requireApp(call);
  return ok({ content_type: "json", insecure_ssl: "0", secret: "********", url: call.deliveries.url() });
};

/** Needs no credential: the code is one. */
const createFromManifest: Handler = (call) => {
  const secrets = convertCode(call.world, call.deliveries, textIn(call.params, "code") ?? "");
  if (secrets === null) throw notFound();
  const { pem, webhookSecret: webhook_secret, clientSecret: client_secret } = secrets;
  return created({ ...presentApp(call.world), client_secret, webhook_secret, pem });
};

/** Newest first. The cursor is the id of the last one shown. */
const listDeliveries: Handler = (call) => {
  requireApp(call);
  const status = textIn(call.query, "status");
  const cursor = Number(textIn(call.query, "cursor") ?? Number.POSITIVE_INFINITY);
  const wanted = call.deliveries
    .list()
    .filter((each) => Number(each["id"]) < cursor)
    .filter((each) => status === null || (status === "success") === isSuccess(each["status_code"]));
  const { items } = pageOf(call, wanted);
  const last = items.at(-1);
  const hasMore = last !== undefined && items.length < wanted.length;
  const query = new URLSearchParams({
    ...(status === null ? {} : { status }),
    per_page: String(numberIn(call.query, "per_page") ?? items.length),
    cursor: String(last?.["id"]),
  });
  return ok(
    items,
    hasMore ? { link: `<${call.world.origin}/api/v3${call.path}?${query.toString()}>; rel="next"` } : {},
  );
};

function isSuccess(statusCode: unknown): boolean {
  return typeof statusCode === "number" && statusCode >= 200 && statusCode < 400;
}

const getDelivery: Handler = (call) => {
  requireApp(call);
  const found = call.deliveries.read(numberIn(call.params, "delivery_id") ?? 0);
  if (found === null) throw notFound();
  return ok(found);
};

const redeliver: Handler = (call) => {
  requireApp(call);
  if (!call.deliveries.redeliver(numberIn(call.params, "delivery_id") ?? 0)) throw notFound();
  return { status: 202, body: {} };
};

export const APP_OPERATIONS: Readonly<Record<string, Handler>> = {
  "apps/get-authenticated": getAuthenticated,
  "apps/list-installations": listInstallations,
  "apps/get-installation": getInstallation,
  "apps/get-repo-installation": getRepositoryInstallation,
  "apps/create-installation-access-token": createAccessToken,
  "apps/revoke-installation-access-token": revokeAccessToken,
  "apps/list-repos-accessible-to-installation": listAccessibleRepositories,
  "apps/create-from-manifest": createFromManifest,
  "apps/get-webhook-config-for-app": getWebhookConfig,
  "apps/list-webhook-deliveries": listDeliveries,
  "apps/get-webhook-delivery": getDelivery,
  "apps/redeliver-webhook-delivery": redeliver,
};
