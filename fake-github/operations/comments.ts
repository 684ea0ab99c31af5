/** Comments in the conversation of a pull request, and reactions. */
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
  visibleTo,
} from "../call.ts";
import {
  issueCommentSubject,
  presentIssueComment,
  presentReaction,
  reviewCommentSubject,
} from "../present/conversation.ts";
import { invalid, notFound, refusal } from "../refusal.ts";
import type { IssueComment, PullRequest } from "../world.ts";

function commentOf(call: Call): IssueComment {
  const id = numberIn(call.params, "comment_id");
  const found = call.world.issueComments.find(
    (each) => each.id === id && each.pullRequest.repository === repositoryOf(call),
  );
  if (found === undefined) throw notFound();
  return found;
}

function bodyOf(call: Call): string {
  const body = textIn(call.body, "body") ?? "";
  if (body.trim() === "") throw invalid("IssueComment", "data", "Body cannot be blank");
  if (isTooLong(body)) throw invalid("IssueComment", "data", TOO_LONG);
  return body;
}

const listComments: Handler = (call) => {
  const pullRequest = pullRequestOf(call);
  const since = textIn(call.query, "since");
  const all = call.world.issueComments.filter(
    (each) => each.pullRequest === pullRequest && (since === null || each.updatedAtMs >= Date.parse(since)),
  );
  const { items, headers } = pageOf(call, visibleTo(call, all));
  return ok(
    items.map((each) => presentIssueComment(call.world, each)),
    headers,
  );
};

const createComment: Handler = (call) => {
  const pullRequest = pullRequestOf(call);
  requireUnlocked(pullRequest);
  const now = call.world.clock.now();
  const comment: IssueComment = {
    id: call.world.nextId(),
    pullRequest,
    author: authorOf(call),
    association: "NONE",
    isViaApp: call.identity.kind === "installation",
    body: bodyOf(call),
    createdAtMs: now,
    updatedAtMs: now,
  };
  call.world.issueComments.push(comment);
  recordWrite(call, { pullRequest, isVisible: true, commit: null });
  return created(presentIssueComment(call.world, comment));
};

const getComment: Handler = (call) => ok(presentIssueComment(call.world, commentOf(call)));

const updateComment: Handler = (call) => {
  const comment = commentOf(call);
  // GitHub allows an app with write access to edit every comment; here that is always a mistake.
  if (comment.author !== authorOf(call)) throw refusal(403, "Resource not accessible by integration");
  requireUnlocked(comment.pullRequest);
  comment.body = bodyOf(call);
  comment.updatedAtMs = call.world.clock.now();
  recordWrite(call, { pullRequest: comment.pullRequest, isVisible: true, commit: null });
  return ok(presentIssueComment(call.world, comment));
};

type Subject = { readonly key: string; readonly pullRequest: PullRequest };
type SubjectOf = (call: Call) => Subject;

const pullRequestSubject: SubjectOf = (call) => {
  const pullRequest = pullRequestOf(call);
  return { key: `pull-request ${pullRequest.id}`, pullRequest };
};

const commentSubject: SubjectOf = (call) => {
  const { id, pullRequest } = commentOf(call);
  return { key: issueCommentSubject(id), pullRequest };
};

const reviewSubject: SubjectOf = (call) => {
  const id = numberIn(call.params, "comment_id");
  const found = call.world.reviewComments.find((each) => each.id === id);
  if (found === undefined || found.pullRequest.repository !== repositoryOf(call)) throw notFound();
  return { key: reviewCommentSubject(found.id), pullRequest: found.pullRequest };
};

/** A second reaction of the same kind returns the first, with 200 instead of 201. */
function createReaction(subjectOf: SubjectOf): Handler {
  return (call) => {
    const { key: subject, pullRequest } = subjectOf(call);
    const content = textIn(call.body, "content") ?? "";
    const user = authorOf(call);
    const known = call.world.reactions.find(
      (each) => each.subject === subject && each.user === user && each.content === content,
    );
    if (known !== undefined) return ok(presentReaction(call.world, known));
    const reaction = { id: call.world.nextId(), subject, user, content, createdAtMs: call.world.clock.now() };
    call.world.reactions.push(reaction);
    recordWrite(call, { pullRequest, isVisible: true, commit: null });
    return created(presentReaction(call.world, reaction));
  };
}

/** Only the account that reacted can take its reaction back. */
const deleteReaction: Handler = (call) => {
  const { key: subject, pullRequest } = reviewSubject(call);
  const { reactions } = call.world;
  const id = numberIn(call.params, "reaction_id");
  const index = reactions.findIndex((each) => each.id === id && each.subject === subject);
  if (index === -1) throw notFound();
  if (reactions[index]?.user !== authorOf(call)) throw refusal(403, "Resource not accessible by integration");
  reactions.splice(index, 1);
  recordWrite(call, { pullRequest, isVisible: true, commit: null });
  return { status: 204, body: undefined };
};

function listReactions(subjectOf: SubjectOf): Handler {
  return (call) => {
    const { key: subject } = subjectOf(call);
    const content = textIn(call.query, "content");
    const all = call.world.reactions.filter(
      (each) => each.subject === subject && (content === null || each.content === content),
    );
    const { items, headers } = pageOf(call, all);
    return ok(
      items.map((each) => presentReaction(call.world, each)),
      headers,
    );
  };
}

export const COMMENT_OPERATIONS: Readonly<Record<string, Handler>> = {
  "issues/list-comments": listComments,
  "issues/create-comment": createComment,
  "issues/get-comment": getComment,
  "issues/update-comment": updateComment,
  "reactions/create-for-issue": createReaction(pullRequestSubject),
  "reactions/list-for-issue": listReactions(pullRequestSubject),
  "reactions/create-for-issue-comment": createReaction(commentSubject),
  "reactions/list-for-issue-comment": listReactions(commentSubject),
  "reactions/create-for-pull-request-review-comment": createReaction(reviewSubject),
  "reactions/list-for-pull-request-review-comment": listReactions(reviewSubject),
  "reactions/delete-for-pull-request-comment": deleteReaction,
};
