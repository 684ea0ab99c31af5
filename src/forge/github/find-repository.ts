/** Finds a repository's installation and id by its name. */
import type { HostedRef } from "../forge.ts";
import { hasStatus } from "./github-error.ts";
import type { SweepDeps } from "./list-open-pull-requests.ts";
import { revokeToken } from "./session-tokens.ts";

/** Null if the repository doesn't exist or the app isn't installed on it. */
export async function findRepositoryRef(
  owner: string,
  name: string,
  deps: SweepDeps,
): Promise<HostedRef | null> {
  const { app, host, clientOf, now, log } = deps;
  try {
    const { data: installation } = await app.request("GET /repos/{owner}/{repo}/installation", {
      owner,
      repo: name,
    });
    const installationId = installation.id;
    const mintedAtMs = now();
    const { data } = await app.request("POST /app/installations/{installation_id}/access_tokens", {
      installation_id: installationId,
      repositories: [name],
      permissions: { metadata: "read" },
    });
    const token = { value: data.token, mintedAtMs };
    const client = clientOf(installationId, token);
    try {
      const { data: repository } = await client.request("GET /repos/{owner}/{repo}", { owner, repo: name });
      return {
        host,
        installationId,
        forgeId: Number(repository.id),
        owner: repository.owner.login,
        name: repository.name,
      };
    } finally {
      await revokeToken(token, { clientOf: () => client, log });
    }
  } catch (error) {
    if (hasStatus(error, 404)) return null;
    throw error;
  }
}
