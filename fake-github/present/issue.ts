/** Issues as GitHub's API shows them. A pull request has one more key. */
import { isoTime } from "../clock.ts";
import type { JsonObject } from "../json.ts";
import { apiUrl, fullName, type Issue, isPullRequest, type World } from "../world.ts";
import { pullRequestUrl } from "./pull-request.ts";
import { issueSubject, presentRollup } from "./reactions.ts";
import { presentUser } from "./user.ts";

export function issueHtmlUrl(world: World, issue: Issue): string {
  const kind = isPullRequest(issue) ? "pull" : "issues";
  return `${world.origin}/${fullName(issue.repository)}/${kind}/${issue.number}`;
}

export function presentIssue(world: World, issue: Issue): JsonObject {
  const repositoryUrl = `${apiUrl(world)}/repos/${fullName(issue.repository)}`;
  const url = `${repositoryUrl}/issues/${issue.number}`;
  const htmlUrl = issueHtmlUrl(world, issue);
  const pullRequest = isPullRequest(issue)
    ? {
        draft: issue.isDraft,
        pull_request: {
          url: pullRequestUrl(world, issue),
          html_url: htmlUrl,
          diff_url: `${htmlUrl}.diff`,
          patch_url: `${htmlUrl}.patch`,
          merged_at: issue.mergedAtMs === null ? null : isoTime(issue.mergedAtMs),
        },
      }
    : {};
  return {
    url,
    repository_url: repositoryUrl,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: htmlUrl,
    id: issue.id,
    node_id: `${isPullRequest(issue) ? "PR" : "I"}_${issue.id}`,
    number: issue.number,
    title: issue.title,
    user: presentUser(world, issue.author),
    labels: [],
    state: issue.isOpen ? "open" : "closed",
    state_reason: null,
    locked: issue.isLocked,
    active_lock_reason: null,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: world.issueComments.filter((each) => each.issue === issue).length,
    created_at: isoTime(issue.createdAtMs),
    updated_at: isoTime(issue.updatedAtMs),
    closed_at: issue.closedAtMs === null ? null : isoTime(issue.closedAtMs),
    author_association: issue.association,
    reactions: presentRollup(world, issueSubject(issue.id), `${url}/reactions`),
    performed_via_github_app: null,
    body: issue.body,
    ...pullRequest,
  };
}
