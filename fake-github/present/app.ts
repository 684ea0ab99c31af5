/** The app and its installations as GitHub's API shows them. */
import { isoTime } from "../clock.ts";
import type { JsonObject } from "../json.ts";
import { apiUrl, type Installation, type World } from "../world.ts";
import { clientIdOf } from "../sign-in.ts";
import { presentUser } from "./user.ts";

export function presentApp(world: World): JsonObject {
  const { app } = world;
  return {
    id: app.id,
    slug: app.slug,
    client_id: clientIdOf(app),
    node_id: `A_${app.id}`,
    owner: presentUser(world, app.owner),
    name: app.slug,
    description: "",
    external_url: `${world.origin}/`,
    html_url: `${world.origin}/apps/${app.slug}`,
    created_at: isoTime(app.createdAtMs),
    updated_at: isoTime(app.createdAtMs),
    permissions: app.permissions,
    events: app.events,
  };
}

export function presentInstallation(world: World, installation: Installation): JsonObject {
  const { account, id, suspendedAtMs } = installation;
  return {
    id,
    account: presentUser(world, account),
    repository_selection: "selected",
    access_tokens_url: `${apiUrl(world)}/app/installations/${id}/access_tokens`,
    repositories_url: `${apiUrl(world)}/installation/repositories`,
    html_url: `${world.origin}/settings/installations/${id}`,
    app_id: world.app.id,
    client_id: clientIdOf(world.app),
    app_slug: world.app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: installation.permissions,
    events: world.app.events,
    created_at: isoTime(installation.createdAtMs),
    updated_at: isoTime(installation.createdAtMs),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: suspendedAtMs === null ? null : presentUser(world, account),
    suspended_at: suspendedAtMs === null ? null : isoTime(suspendedAtMs),
  };
}
