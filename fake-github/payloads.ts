/** Webhook payloads: GitHub's published examples with the fake's repositories, pull requests and people. */
import { isoTime } from "./clock.ts";
import { examplePayload, relocate } from "./examples.ts";
import { isObject, type JsonObject, mergeDeep } from "./json.ts";
import { presentInstallation } from "./present/app.ts";
import { presentCheckRun } from "./present/check-run.ts";
import { presentIssueComment, presentReview, presentReviewComment } from "./present/conversation.ts";
import { presentIssue } from "./present/issue.ts";
import { presentFullPullRequest, presentPullRequest } from "./present/pull-request.ts";
import { presentRepository, replacementsFor } from "./present/repository.ts";
import { presentUser } from "./present/user.ts";
import type { Thread } from "./threads.ts";
import {
  type CheckRun,
  fullName,
  type Installation,
  type Issue,
  type IssueComment,
  type PullRequest,
  type Repository,
  type Review,
  type ReviewComment,
  type User,
  userOf,
  type World,
} from "./world.ts";

export type Webhook = { readonly event: string; readonly payload: JsonObject };

/** The sender, unless the event defines one. */
export type EventOptions = { readonly sender?: User; readonly extra?: JsonObject };

function repositoryEvent(
  world: World,
  repository: Repository,
  event: {
    readonly name: string;
    readonly action: string | null;
    readonly own: JsonObject;
    readonly sender: User;
  },
): Webhook {
  const moved = relocate(examplePayload(event.name, event.action), replacementsFor(world, repository));
  const { installation: _, organization: __, ...example } = isObject(moved) ? moved : {};
  const installation =
    repository.installation === null
      ? {}
      : { installation: { id: repository.installation.id, node_id: `I_${repository.installation.id}` } };
  const { owner } = repository;
  const organization =
    owner.type === "Organization" ? { organization: { login: owner.login, id: owner.id } } : {};
  const common = {
    ...(event.action === null ? {} : { action: event.action }),
    repository: presentRepository(world, repository),
    sender: presentUser(world, event.sender),
    ...installation,
    ...organization,
  };
  return { event: event.name, payload: mergeDeep(mergeDeep(example, common), event.own) };
}

export async function pullRequestEvent(
  world: World,
  pullRequest: PullRequest,
  options: EventOptions & { readonly action: string },
): Promise<Webhook> {
  return repositoryEvent(world, pullRequest.repository, {
    name: "pull_request",
    action: options.action,
    own: {
      number: pullRequest.number,
      pull_request: await presentFullPullRequest(world, pullRequest),
      ...options.extra,
    },
    sender: options.sender ?? pullRequest.author,
  });
}

/** A change of a comment, for its event. */
export type CommentChange = {
  /** "created" if not set. */
  readonly action?: "created" | "edited" | "deleted";
  /** The text before it was edited. */
  readonly from?: string;
  /** The author of the comment if not set. */
  readonly sender?: string;
};

/** The parts of a comment's event that depend on the change. */
function changeParts(world: World, author: User, { action = "created", from, sender }: CommentChange) {
  return {
    action,
    changes: action === "edited" ? { changes: { body: { from: from ?? "" } } } : {},
    sender: sender === undefined ? author : userOf(world, sender),
  };
}

/** As on GitHub, only a pull request's issue has the key `pull_request`. */
export function commentEvent(world: World, comment: IssueComment, change: CommentChange = {}): Webhook {
  const { issue } = comment;
  const { action, changes, sender } = changeParts(world, comment.author, change);
  return repositoryEvent(world, issue.repository, {
    name: "issue_comment",
    action,
    own: {
      issue: presentIssue(world, issue),
      comment: presentIssueComment(world, comment),
      ...changes,
    },
    sender,
  });
}

/** The description of an issue that isn't a pull request. */
export function issueEvent(
  world: World,
  issue: Issue,
  change: { action: "opened" | "edited"; from?: string },
): Webhook {
  const { changes, sender } = changeParts(world, issue.author, {
    action: change.action === "edited" ? "edited" : "created",
    ...(change.from === undefined ? {} : { from: change.from }),
  });
  return repositoryEvent(world, issue.repository, {
    name: "issues",
    action: change.action,
    own: { issue: presentIssue(world, issue), ...changes },
    sender,
  });
}

export async function reviewCommentEvent(
  world: World,
  comment: ReviewComment,
  change: CommentChange = {},
): Promise<Webhook> {
  const { action, changes, sender } = changeParts(world, comment.author, change);
  return repositoryEvent(world, comment.pullRequest.repository, {
    name: "pull_request_review_comment",
    action,
    own: {
      comment: await presentReviewComment(world, comment),
      pull_request: await presentFullPullRequest(world, comment.pullRequest),
      ...changes,
    },
    sender,
  });
}

/** GitHub sends the thread with all its comments, and a short form of the pull request. */
export async function threadEvent(
  world: World,
  thread: Thread,
  { action, sender }: { readonly action: "resolved" | "unresolved"; readonly sender: User },
): Promise<Webhook> {
  const { pullRequest } = thread.comments[0];
  return repositoryEvent(world, pullRequest.repository, {
    name: "pull_request_review_thread",
    action,
    own: {
      thread: {
        node_id: thread.id,
        comments: await Promise.all(thread.comments.map((each) => presentReviewComment(world, each))),
      },
      pull_request: await presentPullRequest(world, pullRequest),
      updated_at: isoTime(world.clock.now()),
    },
    sender,
  });
}

/** The event of a repository that changed, for example "privatized". */
export function changedRepositoryEvent(
  world: World,
  repository: Repository,
  { action, sender }: { readonly action: string; readonly sender: User },
): Webhook {
  return repositoryEvent(world, repository, { name: "repository", action, own: {}, sender });
}

export async function reviewEvent(world: World, review: Review): Promise<Webhook> {
  return repositoryEvent(world, review.pullRequest.repository, {
    name: "pull_request_review",
    action: "submitted",
    own: {
      review: { ...presentReview(world, review), state: review.state.toLowerCase() },
      pull_request: await presentFullPullRequest(world, review.pullRequest),
    },
    sender: review.author,
  });
}

export async function checkRerequestedEvent(world: World, run: CheckRun, sender: User): Promise<Webhook> {
  const presented = await presentCheckRun(world, run);
  const suite = { head_sha: run.head, app: presented["app"], pull_requests: presented["pull_requests"] };
  const own = { check_run: { ...presented, check_suite: { id: run.repository.id, ...suite } } };
  return repositoryEvent(world, run.repository, { name: "check_run", action: "rerequested", own, sender });
}

export function installationEvent(world: World, installation: Installation, action: string): Webhook {
  const repositories = world.repositories.filter((each) => each.installation === installation);
  return {
    event: "installation",
    payload: {
      ...examplePayload("installation", action),
      action,
      installation: presentInstallation(world, installation),
      sender: presentUser(world, installation.account),
      repositories: repositories.map((each) => ({
        id: each.id,
        node_id: `R_${each.id}`,
        name: each.name,
        full_name: fullName(each),
        private: each.isPrivate,
      })),
    },
  };
}

/** An event that the app doesn't handle. */
export function pushEvent(world: World, repository: Repository, commit: string): Webhook {
  const own = { ref: "refs/heads/main", after: commit };
  return repositoryEvent(world, repository, { name: "push", action: null, own, sender: repository.owner });
}
