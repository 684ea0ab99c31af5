/** Pull requests as GitHub's API shows them. Reads git for fields derived from commits. */
import { isoTime } from "../clock.ts";
import { comparisonOf, type FileDiff } from "../diff.ts";
import { readRef } from "../git.ts";
import type { JsonObject } from "../json.ts";
import { apiUrl, fullName, type PullRequest, type Repository, type User, type World } from "../world.ts";
import { presentRepository } from "./repository.ts";
import { presentUser } from "./user.ts";

const orNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : isoTime(milliseconds);

export function pullRequestUrl(world: World, { repository, number }: PullRequest): string {
  return `${apiUrl(world)}/repos/${fullName(repository)}/pulls/${number}`;
}

export function pullRequestHtmlUrl(world: World, { repository, number }: PullRequest): string {
  return `${world.origin}/${fullName(repository)}/pull/${number}`;
}

export async function baseOf(pullRequest: PullRequest): Promise<string> {
  return readRef(pullRequest.repository.directory, `refs/heads/${pullRequest.baseRef}`);
}

function presentEnd(
  world: World,
  end: {
    readonly owner: User | null;
    readonly ref: string;
    readonly sha: string;
    readonly repository: Repository | null;
  },
): JsonObject {
  return {
    label: end.owner === null ? null : `${end.owner.login}:${end.ref}`,
    ref: end.ref,
    sha: end.sha,
    user: end.owner === null ? null : presentUser(world, end.owner),
    repo: end.repository === null ? null : presentRepository(world, end.repository),
  };
}

function linksOf(world: World, pullRequest: PullRequest): Readonly<Record<string, string>> {
  const repositoryUrl = `${apiUrl(world)}/repos/${fullName(pullRequest.repository)}`;
  const url = pullRequestUrl(world, pullRequest);
  const issueUrl = `${repositoryUrl}/issues/${pullRequest.number}`;
  return {
    self: url,
    html: pullRequestHtmlUrl(world, pullRequest),
    issue: issueUrl,
    comments: `${issueUrl}/comments`,
    review_comments: `${url}/comments`,
    review_comment: `${repositoryUrl}/pulls/comments{/number}`,
    commits: `${url}/commits`,
    statuses: `${repositoryUrl}/statuses/${pullRequest.head}`,
  };
}

/** The form in lists and events. */
export async function presentPullRequest(world: World, pullRequest: PullRequest): Promise<JsonObject> {
  const links = linksOf(world, pullRequest);
  const { repository } = pullRequest;
  return {
    url: links["self"],
    id: pullRequest.id,
    node_id: `PR_${pullRequest.id}`,
    html_url: links["html"],
    diff_url: `${links["html"]}.diff`,
    patch_url: `${links["html"]}.patch`,
    issue_url: links["issue"],
    number: pullRequest.number,
    state: pullRequest.isOpen ? "open" : "closed",
    locked: pullRequest.isLocked,
    active_lock_reason: null,
    title: pullRequest.title,
    user: presentUser(world, pullRequest.author),
    body: pullRequest.body,
    created_at: isoTime(pullRequest.createdAtMs),
    updated_at: isoTime(pullRequest.updatedAtMs),
    closed_at: orNull(pullRequest.closedAtMs),
    merged_at: orNull(pullRequest.mergedAtMs),
    merge_commit_sha: null,
    assignee: null,
    assignees: [],
    requested_reviewers: pullRequest.requestedReviewers.map((user) => presentUser(world, user)),
    requested_teams: [],
    labels: [],
    milestone: null,
    draft: pullRequest.isDraft,
    commits_url: links["commits"],
    review_comments_url: links["review_comments"],
    review_comment_url: links["review_comment"],
    comments_url: links["comments"],
    statuses_url: links["statuses"],
    head: presentEnd(world, {
      owner: pullRequest.headOwner,
      ref: pullRequest.headRef,
      sha: pullRequest.head,
      repository: pullRequest.headRepository,
    }),
    base: presentEnd(world, {
      owner: repository.owner,
      ref: pullRequest.baseRef,
      sha: await baseOf(pullRequest),
      repository,
    }),
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
    author_association: pullRequest.association,
    auto_merge: null,
  };
}

function countLines(files: readonly FileDiff[], mark: "+" | "-"): number {
  return files
    .flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines))
    .filter((line) => line.mark === mark).length;
}

/** The form of a single pull request, with counts. */
export async function presentFullPullRequest(world: World, pullRequest: PullRequest): Promise<JsonObject> {
  const { directory } = pullRequest.repository;
  const base = await baseOf(pullRequest);
  const { files, commits } = await comparisonOf(directory, base, pullRequest.head);
  return {
    ...(await presentPullRequest(world, pullRequest)),
    merged: pullRequest.mergedAtMs !== null,
    mergeable: true,
    rebaseable: true,
    mergeable_state: "clean",
    merged_by: pullRequest.mergedBy === null ? null : presentUser(world, pullRequest.mergedBy),
    comments: world.issueComments.filter((each) => each.issue === pullRequest).length,
    review_comments: world.reviewComments.filter(
      (each) => each.pullRequest === pullRequest && each.review.state !== "PENDING",
    ).length,
    maintainer_can_modify: false,
    commits: commits.length,
    additions: countLines(files, "+"),
    deletions: countLines(files, "-"),
    changed_files: files.length,
  };
}

export function presentFile(world: World, pullRequest: PullRequest, file: FileDiff): JsonObject {
  const name = fullName(pullRequest.repository);
  const path = file.path.split("/").map(encodeURIComponent).join("/");
  const additions = countLines([file], "+");
  const deletions = countLines([file], "-");
  return {
    sha: file.blob,
    filename: file.path,
    status: file.status,
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${world.origin}/${name}/blob/${pullRequest.head}/${path}`,
    raw_url: `${world.origin}/${name}/raw/${pullRequest.head}/${path}`,
    contents_url: `${apiUrl(world)}/repos/${name}/contents/${path}?ref=${pullRequest.head}`,
    ...(file.patch === null ? {} : { patch: file.patch }),
    ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
  };
}
