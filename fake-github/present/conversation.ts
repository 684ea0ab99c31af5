/** Reviews and comments as GitHub's API shows them. */
import { isoTime } from "../clock.ts";
import type { JsonObject } from "../json.ts";
import { currentPlace } from "../threads.ts";
import {
  apiUrl,
  fullName,
  type IssueComment,
  type Review,
  type ReviewComment,
  type World,
} from "../world.ts";
import { presentApp } from "./app.ts";
import { issueHtmlUrl } from "./issue.ts";
import { pullRequestHtmlUrl, pullRequestUrl } from "./pull-request.ts";
import { issueCommentSubject, presentRollup, reviewCommentSubject } from "./reactions.ts";
import { presentUser } from "./user.ts";

export function presentReview(world: World, review: Review): JsonObject {
  const { pullRequest } = review;
  const html = `${pullRequestHtmlUrl(world, pullRequest)}#pullrequestreview-${review.id}`;
  const url = pullRequestUrl(world, pullRequest);
  return {
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: presentUser(world, review.author),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: url,
    author_association: review.association,
    _links: { html: { href: html }, pull_request: { href: url } },
    // A pending review has no date.
    ...(review.submittedAtMs === null ? {} : { submitted_at: isoTime(review.submittedAtMs) }),
    commit_id: review.commit,
  };
}

export function reviewCommentHtmlUrl(world: World, { pullRequest, id }: ReviewComment): string {
  return `${pullRequestHtmlUrl(world, pullRequest)}#discussion_r${id}`;
}

export async function presentReviewComment(world: World, comment: ReviewComment): Promise<JsonObject> {
  const { pullRequest } = comment;
  const place = await currentPlace(comment);
  const html = reviewCommentHtmlUrl(world, comment);
  const pull = pullRequestUrl(world, pullRequest);
  const url = `${apiUrl(world)}/repos/${fullName(pullRequest.repository)}/pulls/comments/${comment.id}`;
  return {
    url,
    pull_request_review_id: comment.review.id,
    id: comment.id,
    node_id: `PRRC_${comment.id}`,
    diff_hunk: comment.diffHunk,
    path: comment.path,
    // An outdated comment has no place at the current head.
    position: place?.position ?? null,
    original_position: comment.position,
    commit_id: comment.review.commit,
    original_commit_id: comment.review.commit,
    user: presentUser(world, comment.author),
    body: comment.body,
    created_at: isoTime(comment.createdAtMs),
    updated_at: isoTime(comment.updatedAtMs),
    html_url: html,
    pull_request_url: pull,
    author_association: comment.association,
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    reactions: presentRollup(world, reviewCommentSubject(comment.id), `${url}/reactions`),
    start_line: place?.startLine ?? null,
    original_start_line: comment.startLine,
    start_side: comment.startSide,
    line: place?.line ?? null,
    original_line: comment.line,
    side: comment.side,
    subject_type: "line",
    ...(comment.replyTo === null ? {} : { in_reply_to_id: comment.replyTo }),
  };
}

export function presentIssueComment(world: World, comment: IssueComment): JsonObject {
  const { issue } = comment;
  const repositoryUrl = `${apiUrl(world)}/repos/${fullName(issue.repository)}`;
  const url = `${repositoryUrl}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${issueHtmlUrl(world, issue)}#issuecomment-${comment.id}`,
    issue_url: `${repositoryUrl}/issues/${issue.number}`,
    id: comment.id,
    node_id: `IC_${comment.id}`,
    user: presentUser(world, comment.author),
    created_at: isoTime(comment.createdAtMs),
    updated_at: isoTime(comment.updatedAtMs),
    body: comment.body,
    author_association: comment.association,
    reactions: presentRollup(world, issueCommentSubject(comment.id), `${url}/reactions`),
    performed_via_github_app: comment.isViaApp ? presentApp(world) : null,
  };
}
