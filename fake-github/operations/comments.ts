/** Issues, comments in the conversation of an issue or pull request, and reactions. */
import {
  authorOf,
  type Call,
  created,
  type Handler,
  isTooLong,
  issueOf,
  numberIn,
  ok,
  pageOf,
  recordWrite,
  repositoryOf,
  requireUnlocked,
  textIn,
  TOO_LONG,
  visibleTo,
} from "../call.ts";
import { removeWhere } from "../json.ts";
import { requireIssues } from "../permissions.ts";
import { presentIssueComment } from "../present/conversation.ts";
import { presentIssue } from "../present/issue.ts";
import {
  issueCommentSubject,
  issueSubject,
  presentReaction,
  reviewCommentSubject,
} from "../present/reactions.ts";
import { invalid, notFound, refusal } from "../refusal.ts";
import { type Issue, type IssueComment, isPullRequest } from "../world.ts";

function commentOf(call: Call): IssueComment {
  const id = numberIn(call.params, "comment_id");
  const found = call.world.issueComments.find(
    (each) => each.id === id && each.issue.repository === repositoryOf(call),
  );
  if (found === undefined) throw notFound();
  if (!isPullRequest(found.issue)) requireIssues(call.identity, call.operation);
  return found;
}

function bodyOf(call: Call): string {
  const body = textIn(call.body, "body") ?? "";
  if (body.trim() === "") throw invalid("IssueComment", "data", "Body cannot be blank");
  if (isTooLong(body)) throw invalid("IssueComment", "data", TOO_LONG);
  return body;
}

const getIssue: Handler = (call) => ok(presentIssue(call.world, issueOf(call)));

const listComments: Handler = (call) => {
  const issue = issueOf(call);
  const since = textIn(call.query, "since");
  const all = call.world.issueComments.filter(
    (each) => each.issue === issue && (since === null || each.updatedAtMs >= Date.parse(since)),
  );
  const { items, headers } = pageOf(call, visibleTo(call, all));
  return ok(
    items.map((each) => presentIssueComment(call.world, each)),
    headers,
  );
};

const createComment: Handler = (call) => {
  const issue = issueOf(call);
  requireUnlocked(issue);
  const now = call.world.clock.now();
  const comment: IssueComment = {
    id: call.world.nextId(),
    issue,
    author: authorOf(call),
    association: "NONE",
    isViaApp: call.identity.kind === "installation",
    body: bodyOf(call),
    createdAtMs: now,
    updatedAtMs: now,
  };
  call.world.issueComments.push(comment);
  recordWrite(call, { issue, isVisible: true, commit: null });
  return created(presentIssueComment(call.world, comment));
};

const getComment: Handler = (call) => ok(presentIssueComment(call.world, commentOf(call)));

const updateComment: Handler = (call) => {
  const comment = commentOf(call);
  // GitHub allows an app with write access to edit every comment; here that is always a mistake.
  if (comment.author !== authorOf(call)) throw refusal(403, "Resource not accessible by integration");
  requireUnlocked(comment.issue);
  comment.body = bodyOf(call);
  comment.updatedAtMs = call.world.clock.now();
  recordWrite(call, { issue: comment.issue, isVisible: true, commit: null });
  return ok(presentIssueComment(call.world, comment));
};

const deleteComment: Handler = (call) => {
  const comment = commentOf(call);
  // As above.
  if (comment.author !== authorOf(call)) throw refusal(403, "Resource not accessible by integration");
  removeWhere(call.world.issueComments, (each) => each === comment);
  recordWrite(call, { issue: comment.issue, isVisible: true, commit: null });
  return { status: 204, body: undefined };
};

type Subject = { readonly key: string; readonly issue: Issue };
type SubjectOf = (call: Call) => Subject;

const wholeSubject: SubjectOf = (call) => {
  const issue = issueOf(call);
  return { key: issueSubject(issue.id), issue };
};

const commentSubject: SubjectOf = (call) => {
  const { id, issue } = commentOf(call);
  return { key: issueCommentSubject(id), issue };
};

const reviewSubject: SubjectOf = (call) => {
  const id = numberIn(call.params, "comment_id");
  const found = call.world.reviewComments.find((each) => each.id === id);
  if (found === undefined || found.pullRequest.repository !== repositoryOf(call)) throw notFound();
  return { key: reviewCommentSubject(found.id), issue: found.pullRequest };
};

/** A second reaction of the same kind returns the first, with 200 instead of 201. */
function createReaction(subjectOf: SubjectOf): Handler {
  return (call) => {
    const { key: subject, issue } = subjectOf(call);
    const content = textIn(call.body, "content") ?? "";
    const user = authorOf(call);
    const known = call.world.reactions.find(
      (each) => each.subject === subject && each.user === user && each.content === content,
    );
    if (known !== undefined) return ok(presentReaction(call.world, known));
    const reaction = { id: call.world.nextId(), subject, user, content, createdAtMs: call.world.clock.now() };
    call.world.reactions.push(reaction);
    recordWrite(call, { issue, isVisible: true, commit: null });
    return created(presentReaction(call.world, reaction));
  };
}

/** Only the account that reacted can take its reaction back. */
const deleteReaction: Handler = (call) => {
  const { key: subject, issue } = reviewSubject(call);
  const { reactions } = call.world;
  const id = numberIn(call.params, "reaction_id");
  const index = reactions.findIndex((each) => each.id === id && each.subject === subject);
  if (index === -1) throw notFound();
  if (reactions[index]?.user !== authorOf(call)) throw refusal(403, "Resource not accessible by integration");
  reactions.splice(index, 1);
  recordWrite(call, { issue, isVisible: true, commit: null });
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
  "issues/get": getIssue,
  "issues/list-comments": listComments,
  "issues/create-comment": createComment,
  "issues/get-comment": getComment,
  "issues/update-comment": updateComment,
  "issues/delete-comment": deleteComment,
  "reactions/create-for-issue": createReaction(wholeSubject),
  "reactions/list-for-issue": listReactions(wholeSubject),
  "reactions/create-for-issue-comment": createReaction(commentSubject),
  "reactions/list-for-issue-comment": listReactions(commentSubject),
  "reactions/create-for-pull-request-review-comment": createReaction(reviewSubject),
  "reactions/list-for-pull-request-review-comment": listReactions(reviewSubject),
  "reactions/delete-for-pull-request-comment": deleteReaction,
};
