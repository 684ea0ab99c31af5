/** People and bots as GitHub's API shows them. */
import { isoTime } from "../clock.ts";
import type { JsonObject } from "../json.ts";
import { apiUrl, type User, type World } from "../world.ts";

export function presentUser(world: World, user: User): JsonObject {
  const url = `${apiUrl(world)}/users/${encodeURIComponent(user.login)}`;
  return {
    login: user.login,
    id: user.id,
    node_id: `U_${user.id}`,
    avatar_url: `${world.origin}/avatars/${user.id}`,
    gravatar_id: "",
    url,
    html_url:
      user.type === "Bot"
        ? `${world.origin}/apps/${user.login.replace(/\[bot\]$/, "")}`
        : `${world.origin}/${user.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: user.type,
    user_view_type: "public",
    site_admin: false,
  };
}

export function presentProfile(world: World, user: User): JsonObject {
  const since = isoTime(world.app.createdAtMs);
  return {
    ...presentUser(world, user),
    name: null,
    company: null,
    blog: "",
    location: null,
    email: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: world.repositories.filter((each) => each.owner === user).length,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: since,
    updated_at: since,
  };
}
