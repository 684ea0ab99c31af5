/**
 * Reviews of pull requests. Until a review is submitted, it is pending and only its author sees it. An author has at most one pending
 * review on a pull request.
 */
import {
  authorOf,
  type Call,
  created,
  type Handler,
  isTooLong,
  numberIn,
  ok,
  pageOf,
  pullRequestOf,
  recordWrite,
  repositoryOf,
  requireUnlocked,
  textIn,
  TOO_LONG,
  viewerOf,
  visibleTo,
} from "../call.ts";
import { isObject, removeWhere } from "../json.ts";
import { presentReview, presentReviewComment } from "../present/conversation.ts";
import { addReply } from "../people.ts";
import { type Answer, invalid, notFound, refusal, unprocessable } from "../refusal.ts";
import type { PullRequest, Review, ReviewComment, ReviewState, User } from "../world.ts";
import { hasCommit, type PlacedComment, placeComments } from "./review-lines.ts";

const STATE_OF_EVENT: Readonly<Record<string, ReviewState>> = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
};

const ONE_PENDING = "User can only have one pending review per pull request";

function isVisibleTo(review: Review, user: User | null): boolean {
  return review.state !== "PENDING" || review.author === user;
}

function reviewOf(call: Call): Review {
  const pullRequest = pullRequestOf(call);
  const id = numberIn(call.params, "review_id");
  const found = call.world.reviews.find((each) => each.id === id && each.pullRequest === pullRequest);
  if (found === undefined || !isVisibleTo(found, viewerOf(call))) throw notFound();
  return found;
}

/** The author can't approve their own pull request, only comment on it. */
function requireJudge(pullRequest: PullRequest, author: User, state: ReviewState): void {
  if (pullRequest.author !== author) return;
  if (state === "APPROVED") throw unprocessable("Can not approve your own pull request");
  if (state === "CHANGES_REQUESTED") throw unprocessable("Can not request changes on your own pull request");
}

function requireBody(body: string, state: ReviewState, commentCount: number): void {
  if (state === "CHANGES_REQUESTED" && body === "")
    throw unprocessable("Body can't be blank when requesting changes");
  if (state === "COMMENTED" && body === "" && commentCount === 0)
    throw unprocessable("Review body or comments must be present");
}

function addComments(call: Call, review: Review, placed: readonly PlacedComment[]): void {
  for (const comment of placed) {
    call.world.reviewComments.push({
      ...comment,
      id: call.world.nextId(),
      pullRequest: review.pullRequest,
      review,
      author: review.author,
      association: review.association,
      replyTo: null,
      createdAtMs: review.createdAtMs,
      updatedAtMs: review.createdAtMs,
    });
  }
}

const createReview: Handler = async (call) => {
  const pullRequest = pullRequestOf(call);
  const author = authorOf(call);
  requireUnlocked(pullRequest);
  const { comments } = call.body;
  const asked = Array.isArray(comments) ? comments.filter(isObject) : [];
  const body = textIn(call.body, "body") ?? "";
  if (isTooLong(body) || asked.some((each) => isTooLong(textIn(each, "body")))) throw unprocessable(TOO_LONG);
  const commit = textIn(call.body, "commit_id") ?? pullRequest.head;
  if (!(await hasCommit(pullRequest, commit)))
    throw unprocessable("The commit_id is not part of the pull request");
  const placed = await placeComments(pullRequest, commit, asked);
  const state = STATE_OF_EVENT[textIn(call.body, "event") ?? ""] ?? "PENDING";
  requireJudge(pullRequest, author, state);
  requireBody(body, state, placed.length);
  // No await from here on: two concurrent requests must not both find no pending review.
  const hasPending = call.world.reviews.some(
    (each) => each.pullRequest === pullRequest && each.author === author && each.state === "PENDING",
  );
  // While another review is pending, GitHub also refuses a submitted one.
  if (hasPending) throw unprocessable(ONE_PENDING);
  const now = call.world.clock.now();
  const review: Review = {
    id: call.world.nextId(),
    pullRequest,
    author,
    association: "NONE",
    commit,
    body,
    state,
    createdAtMs: now,
    submittedAtMs: state === "PENDING" ? null : now,
  };
  call.world.reviews.push(review);
  addComments(call, review, placed);
  recordWrite(call, { issue: pullRequest, isVisible: state !== "PENDING", commit });
  return ok(presentReview(call.world, review));
};

const listReviews: Handler = (call) => {
  const pullRequest = pullRequestOf(call);
  const user = viewerOf(call);
  const all = call.world.reviews.filter(
    (each) => each.pullRequest === pullRequest && isVisibleTo(each, user),
  );
  const { items, headers } = pageOf(call, visibleTo(call, all));
  return ok(
    items.map((each) => presentReview(call.world, each)),
    headers,
  );
};

const getReview: Handler = (call) => ok(presentReview(call.world, reviewOf(call)));

const updateReview: Handler = (call) => {
  const review = reviewOf(call);
  const body = textIn(call.body, "body") ?? "";
  if (review.author !== authorOf(call)) throw refusal(403, "Resource not accessible by integration");
  if (isTooLong(body)) throw unprocessable(TOO_LONG);
  review.body = body;
  recordWrite(call, {
    issue: review.pullRequest,
    isVisible: review.state !== "PENDING",
    commit: review.commit,
  });
  return ok(presentReview(call.world, review));
};

const deletePendingReview: Handler = (call) => {
  const review = reviewOf(call);
  if (review.state !== "PENDING") throw unprocessable("Can not delete a non-pending pull request review");
  removeWhere(call.world.reviews, (each) => each === review);
  removeWhere(call.world.reviewComments, (each) => each.review === review);
  recordWrite(call, { issue: review.pullRequest, isVisible: false, commit: review.commit });
  return ok(presentReview(call.world, review));
};

const submitReview: Handler = (call) => {
  const review = reviewOf(call);
  requireUnlocked(review.pullRequest);
  const state = STATE_OF_EVENT[textIn(call.body, "event") ?? ""] ?? "COMMENTED";
  if (review.state !== "PENDING") throw unprocessable("Can not submit a non-pending pull request review");
  const body = textIn(call.body, "body") ?? review.body;
  if (isTooLong(body)) throw unprocessable(TOO_LONG);
  requireJudge(review.pullRequest, review.author, state);
  requireBody(body, state, commentsOf(call, review).length);
  review.body = body;
  review.state = state;
  review.submittedAtMs = call.world.clock.now();
  recordWrite(call, { issue: review.pullRequest, isVisible: true, commit: review.commit });
  return ok(presentReview(call.world, review));
};

function commentsOf(call: Call, review: Review): readonly ReviewComment[] {
  return call.world.reviewComments.filter((each) => each.review === review);
}

async function okComments(call: Call, all: readonly ReviewComment[]): Promise<Answer> {
  const { items, headers } = pageOf(call, all);
  return ok(await Promise.all(items.map((each) => presentReviewComment(call.world, each))), headers);
}

const listCommentsForReview: Handler = (call) => okComments(call, commentsOf(call, reviewOf(call)));

const listReviewComments: Handler = (call) => {
  const pullRequest = pullRequestOf(call);
  const all = call.world.reviewComments.filter(
    (each) => each.pullRequest === pullRequest && each.review.state !== "PENDING",
  );
  const isDescending = textIn(call.query, "direction") === "desc";
  return okComments(call, visibleTo(call, isDescending ? all.toReversed() : all));
};

function reviewCommentOf(call: Call): ReviewComment {
  const id = numberIn(call.params, "comment_id");
  const found = call.world.reviewComments.find(
    (each) => each.id === id && each.pullRequest.repository === repositoryOf(call),
  );
  if (found === undefined || found.review.state === "PENDING") throw notFound();
  return found;
}

const getReviewComment: Handler = async (call) =>
  ok(await presentReviewComment(call.world, reviewCommentOf(call)));

/** GitHub only accepts the first comment of a thread here. */
const createReply: Handler = async (call) => {
  const parent = reviewCommentOf(call);
  if (parent.pullRequest !== pullRequestOf(call)) throw notFound();
  if (parent.replyTo !== null) throw invalid("PullRequestReviewComment", "in_reply_to", "is not valid");
  const author = authorOf(call);
  requireUnlocked(parent.pullRequest);
  const body = textIn(call.body, "body") ?? "";
  if (body.trim() === "") throw invalid("PullRequestReviewComment", "body", "Body can't be blank");
  if (isTooLong(body)) throw unprocessable(TOO_LONG);
  const reply = addReply(call.world, parent, { author, association: "NONE", body });
  recordWrite(call, { issue: parent.pullRequest, isVisible: true, commit: null });
  return created(await presentReviewComment(call.world, reply));
};

export const REVIEW_OPERATIONS: Readonly<Record<string, Handler>> = {
  "pulls/list-reviews": listReviews,
  "pulls/create-review": createReview,
  "pulls/get-review": getReview,
  "pulls/update-review": updateReview,
  "pulls/delete-pending-review": deletePendingReview,
  "pulls/submit-review": submitReview,
  "pulls/list-comments-for-review": listCommentsForReview,
  "pulls/list-review-comments": listReviewComments,
  "pulls/get-review-comment": getReviewComment,
  "pulls/create-reply-for-review-comment": createReply,
};
