/** The app's account as the author of a commit, so that GitHub shows its name and picture. */
import type { CommitIdentity } from "../forge.ts";
import type { GithubClient } from "./github-client.ts";
import type { OwnAccount } from "./own-account.ts";

export type ReadCommitIdentityDeps = {
  readonly read: GithubClient;
  readonly own: () => Promise<OwnAccount>;
  readonly apiUrl: string;
};

export async function readCommitIdentity({
  read,
  own,
  apiUrl,
}: ReadCommitIdentityDeps): Promise<CommitIdentity> {
  const { login: name } = await own();
  // The id of the account isn't the id of the app.
  const { data } = await read.request("GET /users/{username}", { username: name });
  return { name, email: `${data.id}+${name}@${noReplyHost(apiUrl)}` };
}

/** The host of addresses that GitHub assigns to accounts: users.noreply.github.com, or the same on another GitHub host. */
export function noReplyHost(apiUrl: string): string {
  return `users.noreply.${new URL(apiUrl).hostname.replace(/^api\./, "")}`;
}
