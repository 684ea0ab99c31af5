/**
 * Lists every open pull request that the app can see, installation by installation. A failed installation is logged and
 * doesn't stop the others. If the failure is retryable, it is thrown at the end.
 */
import { KodiaiError, messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { OpenPullRequest, HostedRef } from "../forge.ts";
import type { GithubClient, Token } from "./github-client.ts";
import { personOf } from "./parse-event.ts";
import { revokeToken } from "./session-tokens.ts";
import { PAGE_SIZE } from "./repository-calls.ts";

export type SweepDeps = {
  /** Of the repositories. */
  readonly host: string;
  readonly app: GithubClient;
  /** A client for an installation that uses the given token. */
  readonly clientOf: (installationId: number, token: Token) => GithubClient;
  readonly now: () => number;
  readonly log: Log;
};

export async function* listOpenPullRequests(deps: SweepDeps): AsyncGenerator<OpenPullRequest> {
  let missed: KodiaiError | null = null;
  for await (const { data } of deps.app.paginate.iterator("GET /app/installations", {
    per_page: PAGE_SIZE,
  })) {
    for (const { id, suspended_at: suspendedAt, created_at: createdAt } of data) {
      if (suspendedAt != null) continue;
      const installation = { id, installedAt: Date.parse(createdAt) };
      try {
        yield* listOfInstallation(installation, deps);
      } catch (error) {
        const reason = messageOf(error);
        deps.log.warn("listing an installation failed", { installation: installation.id, reason });
        if (error instanceof KodiaiError && error.retryable) missed ??= error;
      }
    }
  }
  // A sweep that looks complete isn't repeated for an hour.
  if (missed !== null) throw missed;
}

type Installation = { readonly id: number; readonly installedAt: number };

async function* listOfInstallation(
  installation: Installation,
  deps: SweepDeps,
): AsyncGenerator<OpenPullRequest> {
  const mintedAtMs = deps.now();
  const { data } = await deps.app.request("POST /app/installations/{installation_id}/access_tokens", {
    installation_id: installation.id,
    permissions: { metadata: "read", pull_requests: "read" },
  });
  const token = { value: data.token, mintedAtMs };
  const client = deps.clientOf(installation.id, token);
  try {
    for await (const page of client.paginate.iterator("GET /installation/repositories", {
      per_page: PAGE_SIZE,
    })) {
      for (const repository of page.data) {
        // Archived or disabled repositories are read-only.
        if (repository.archived || repository.disabled) continue;
        const repositoryRef = {
          host: deps.host,
          installationId: installation.id,
          forgeId: Number(repository.id),
          owner: repository.owner.login,
          name: repository.name,
        };
        yield* listOfRepository({ repositoryRef, installedAt: installation.installedAt }, client);
      }
    }
  } finally {
    await revokeToken(token, { clientOf: () => client, log: deps.log });
  }
}

async function* listOfRepository(
  { repositoryRef, installedAt }: { readonly repositoryRef: HostedRef; readonly installedAt: number },
  client: GithubClient,
): AsyncGenerator<OpenPullRequest> {
  const pages = client.paginate.iterator("GET /repos/{owner}/{repo}/pulls", {
    owner: repositoryRef.owner,
    repo: repositoryRef.name,
    state: "open",
    per_page: PAGE_SIZE,
  });
  for await (const { data } of pages) {
    for (const pullRequest of data) {
      yield {
        repositoryRef,
        pullRequest: {
          number: pullRequest.number,
          head: pullRequest.head.sha,
          isDraft: pullRequest.draft ?? false,
          isOpen: true,
          title: pullRequest.title,
          author: personOf(pullRequest.user),
        },
        createdAt: Date.parse(pullRequest.created_at),
        installedAt,
      };
    }
  }
}
