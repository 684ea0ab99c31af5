/** Reads a pull request and facts about its author, as values of the port. */
import type { PullRequest } from "../forge.ts";
import { hasStatus } from "./github-error.ts";
import { isOwnAccount } from "./own-account.ts";
import { personOf } from "./parse-event.ts";
import { type ReadDeps, requireSameRepository } from "./read-hosted-repository.ts";

export type ReadPullRequest = {
  readonly pullRequest: PullRequest;
  /** The clone URL of the base repository. */
  readonly cloneUrl: string;
};

/** GitHub's format for account names. Anything else must not become part of a search query. */
const LOGIN = /^[a-z\d][\w-]{0,99}(?:\[bot\])?$/i;

const BOT_SUFFIX = "[bot]";

export async function readPullRequest(
  number: number,
  { read, name, repositoryRef, own }: ReadDeps,
): Promise<ReadPullRequest> {
  const repository = await name();
  const { data } = await read.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
    ...repository,
    pull_number: number,
  });
  const base = data.base.repo;
  requireSameRepository(base.id, repository, repositoryRef);
  const author = personOf(data.user);
  const pullRequest: PullRequest = {
    repositoryRef: { ...repositoryRef, owner: base.owner.login, name: base.name },
    number,
    title: data.title,
    body: data.body ?? "",
    isOpen: data.state === "open",
    mergedAt: data.merged_at === null ? null : Date.parse(data.merged_at),
    mergedBy: data.merged_by === null ? null : personOf(data.merged_by),
    isDraft: data.draft ?? false,
    isLocked: data.locked,
    head: data.head.sha,
    headLabel: data.head.label ?? data.head.ref,
    headRef: data.head.ref,
    baseRef: data.base.ref,
    base: data.base.sha,
    // GitHub's types say that it is always present, but it is null for a deleted fork.
    isFork: (data.head.repo as { id: number | bigint } | null)?.id !== base.id,
    isPrivate: base.private,
    author,
    // People's pull requests need no look at our own account.
    isOwn: author.isBot && own !== null && isOwnAccount(data.user, await own()),
    association: data.author_association,
    updatedAt: Date.parse(data.updated_at),
    url: data.html_url,
  };
  return { pullRequest, cloneUrl: base.clone_url };
}

/** Null if GitHub doesn't know the account or didn't complete the search. */
export async function countMergedPullRequests(
  login: string,
  { read, name }: ReadDeps,
): Promise<number | null> {
  if (!LOGIN.test(login)) return null;
  const author = login.endsWith(BOT_SUFFIX) ? `app/${login.slice(0, -BOT_SUFFIX.length)}` : login;
  const { owner, repo } = await name();
  try {
    const { data } = await read.request("GET /search/issues", {
      q: `repo:${owner}/${repo} type:pr is:merged author:${author}`,
      per_page: 1,
    });
    return data.incomplete_results ? null : data.total_count;
  } catch (error) {
    if (hasStatus(error, 422)) return null;
    throw error;
  }
}

/** GitHub counts the role "maintain" as write, and "triage" as read. */
const WRITING: ReadonlySet<string> = new Set(["admin", "write"]);

/**
 * Queries GitHub, because the association in an event doesn't show it: a member of the organization may have only read
 * access. Organizations, bots and deleted accounts aren't collaborators; GitHub answers 404 for them.
 */
export async function hasWriteAccess(login: string, { read, name }: ReadDeps): Promise<boolean> {
  if (!LOGIN.test(login)) return false;
  try {
    const { data } = await read.request("GET /repos/{owner}/{repo}/collaborators/{username}/permission", {
      ...(await name()),
      username: login,
    });
    return WRITING.has(data.permission);
  } catch (error) {
    if (hasStatus(error, 404)) return false;
    throw error;
  }
}
