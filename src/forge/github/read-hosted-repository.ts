/** Reads what GitHub says about the repository itself and its branches. */
import { KodiaiError } from "../../base/errors.ts";
import type { HostedBranch, HostedRepository, RepositoryRef } from "../forge.ts";
import type { GithubClient } from "./github-client.ts";
import { unlessGone } from "./github-error.ts";
import type { OwnAccount } from "./own-account.ts";
import type { RepositoryName } from "./session-tokens.ts";

/** The client and the name for every read of a repository. */
export type ReadDeps = {
  readonly read: GithubClient;
  readonly name: () => Promise<RepositoryName>;
  readonly repositoryRef: RepositoryRef;
  /** Null for a person who only reads: none of the pull requests is Kodiai's own. */
  readonly own: (() => Promise<OwnAccount>) | null;
};

export async function readHostedRepository({
  read,
  name,
  repositoryRef,
}: ReadDeps): Promise<{ readonly repository: HostedRepository; readonly cloneUrl: string }> {
  const named = await name();
  const { data } = await read.request("GET /repos/{owner}/{repo}", named);
  requireSameRepository(data.id, named, repositoryRef);
  const { default_branch: defaultBranch, private: isPrivate, html_url: url } = data;
  return {
    repository: { defaultBranch, isPrivate, url: url.replace(/\/+$/, "") },
    cloneUrl: data.clone_url,
  };
}

export async function readHostedBranch(
  branch: string,
  { read, name }: ReadDeps,
): Promise<HostedBranch | null> {
  const named = await name();
  return unlessGone(async () => {
    const { data } = await read.request("GET /repos/{owner}/{repo}/branches/{branch}", { ...named, branch });
    return { isProtected: data.protected };
  });
}

/** After a repository was moved, another one may have its old name. */
export function requireSameRepository(
  id: number | bigint,
  { owner, repo }: RepositoryName,
  { forgeId }: ReadDeps["repositoryRef"],
): void {
  if (Number(id) === forgeId) return;
  throw new KodiaiError("not-found", `${owner}/${repo} is another repository now`, {
    hint: "The repository was moved or replaced. Its next event contains the new name.",
  });
}
