/**
 * Every open pull request that the app can see, installation by installation. One that cannot be read is logged and does
 * not keep the others from being healed; when it may be readable later, that is thrown after all the others.
 */
import { KodiaiError, messageOf } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { OpenPullRequest, RepositoryRef } from "../forge.ts";
import type { GithubClient, Token } from "./github-client.ts";
import { personOf } from "./parse-event.ts";
import { revokeToken } from "./session-tokens.ts";

export type SweepDeps = {
  readonly app: GithubClient;
  /** A client that speaks for an installation with a given token. */
  readonly clientOf: (installationId: number, token: Token) => GithubClient;
  readonly now: () => number;
  readonly log: Log;
};

const PAGE_SIZE = 100;

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
        deps.log.warn("an installation was not swept", { installation: installation.id, reason });
        if (error instanceof KodiaiError && error.retryable) missed ??= error;
      }
    }
  }
  // A sweep that seems whole is not done again for an hour.
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
        // Nothing can be written there.
        if (repository.archived || repository.disabled) continue;
        const repositoryRef = {
          installationId: installation.id,
          repositoryId: Number(repository.id),
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
  { repositoryRef, installedAt }: { readonly repositoryRef: RepositoryRef; readonly installedAt: number },
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
