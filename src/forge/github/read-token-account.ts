/** Finds out which account a given token writes as. */
import type { Log } from "../../base/log.ts";
import type { GithubClient } from "./github-client.ts";
import { isGithubError } from "./github-error.ts";
import type { OwnAccount } from "./own-account.ts";

/** REST refuses to name the account of an app's token (`GET /user` answers 403). GraphQL names all. */
const VIEWER = "query { viewer { login } }";

/** The account of workflows. */
const ACTIONS_LOGIN = "github-actions[bot]";

type ViewerAnswer = { readonly viewer: { readonly login: string } };

export async function readTokenAccount(client: GithubClient, log: Log): Promise<OwnAccount> {
  try {
    const { viewer } = await client.graphql<ViewerAnswer>(VIEWER, { request: { graphql: "query" } });
    return { login: viewer.login, appId: null, isShared: true };
  } catch (error) {
    if (!isGithubError(error) || error.code !== "forbidden") throw error;
    // Older Enterprise Servers refuse this query to the tokens of workflows, and to no others that can review.
    log.debug("GitHub doesn't name the token's account", { reason: error.message });
    return { login: ACTIONS_LOGIN, appId: null, isShared: true };
  }
}
