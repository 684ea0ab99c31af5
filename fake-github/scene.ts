/** Actions and views of people, bound to one fake: actions that send webhooks, events, and the current state. */
import * as payloads from "./payloads.ts";
import * as people from "./people.ts";
import * as teaching from "./teaching.ts";
import { fileAt, type Files, listBranches, readRef } from "./git.ts";
import { subjectOf } from "./present/reactions.ts";
import { currentPlace, rootIdOf, type Thread, threadOf, threadsOf } from "./threads.ts";
import {
  type CheckRun,
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

export type ClosingOptions = { readonly isMerged?: boolean; readonly by?: string };

export type SeenThread = Thread & { readonly resolvedBy: string | null; readonly isOutdated: boolean };

/**
 * Opening, pushing, committing a suggestion, closing, reopening, resolving a thread and changing the visibility send a webhook if the
 * fake delivers automatically. Comments and replies don't: send theirs with `events`.
 */
export type Scene = {
  createRepository(request?: people.RepositoryRequest): Promise<Repository>;
  renameRepository(repository: Repository, name: string): void;
  /** Commits to the default branch, or to another, which is created if it doesn't exist. */
  commit(repository: Repository, files: Files, branch?: string): Promise<string>;
  createFork(repository: Repository, owner: string): Promise<Repository>;
  /** An issue that isn't a pull request. */
  createIssue(repository: Repository, request?: people.IssueRequest): Issue;
  openPullRequest(repository: Repository, request: people.PullRequestRequest): Promise<PullRequest>;
  push(pullRequest: PullRequest, files: Files, options?: { readonly isForced?: boolean }): Promise<string>;
  /** `by` defaults to Ada if it is merged, and to the author otherwise. */
  closePullRequest(pullRequest: PullRequest, options?: ClosingOptions): Promise<void>;
  reopenPullRequest(pullRequest: PullRequest): Promise<void>;
  deleteFork(pullRequest: PullRequest, options?: { readonly isOwnerGone?: boolean }): Promise<void>;
  /** Comments on an issue or pull request. */
  comment(
    issue: Issue,
    comment: { readonly author: string; readonly body: string; readonly association?: string },
  ): IssueComment;
  review(
    pullRequest: PullRequest,
    request: people.ReviewRequest,
  ): Promise<{ readonly review: Review; readonly comments: readonly ReviewComment[] }>;
  /** Replies in the thread of a comment on lines. */
  reply(
    comment: ReviewComment,
    reply: { readonly author: string; readonly body: string; readonly association?: string },
  ): ReviewComment;
  /** Returns the text before, for the event. */
  editComment(comment: IssueComment | ReviewComment, body: string): string;
  /** Its replies stay. */
  deleteComment(comment: IssueComment | ReviewComment): void;
  resolveThread(comment: ReviewComment, by: string): Promise<void>;
  unresolveThread(comment: ReviewComment, by?: string): Promise<void>;
  /** Hides a comment on lines, as maintainers do with spam. */
  minimize(comment: ReviewComment): void;
  react(comment: IssueComment | ReviewComment, given: teaching.GivenReaction): void;
  /** Throws if there is no such reaction. */
  takeBackReaction(comment: IssueComment | ReviewComment, given: teaching.GivenReaction): void;
  /** Commits the suggestion that the comment contains. Returns the new head. */
  commitSuggestion(comment: ReviewComment, by: string): Promise<string>;
  /** Makes a repository private or public. */
  setPrivate(repository: Repository, isPrivate: boolean, by?: string): void;
  foreignCheck(repository: Repository, request: people.CheckRequest): CheckRun;
  user(login: string): User;

  reviewsOf(pullRequest: PullRequest): readonly Review[];
  reviewCommentsOf(pullRequest: PullRequest): readonly ReviewComment[];
  /** The threads on lines of the change. `resolvedBy` is null while a thread is open. */
  threadsOf(pullRequest: PullRequest): Promise<readonly SeenThread[]>;
  /** The conversation of an issue or pull request. */
  commentsOf(issue: Issue): readonly IssueComment[];
  /** The comments after the first of a thread on lines. */
  repliesOf(root: ReviewComment): readonly ReviewComment[];
  pullRequestsOf(repository: Repository): readonly PullRequest[];
  branchesOf(repository: Repository): Promise<readonly string[]>;
  /** Null if there is no such branch. */
  commitOf(repository: Repository, branch: string): Promise<string | null>;
  /** Null if there is no such file at the branch or commit. */
  fileAt(repository: Repository, ref: string, path: string): Promise<string | null>;
  checksOf(pullRequest: PullRequest): readonly CheckRun[];
  reactionsOf(subject: IssueComment | ReviewComment | Issue): readonly string[];

  readonly events: {
    pullRequest(
      action: string,
      pullRequest: PullRequest,
      options?: payloads.EventOptions,
    ): Promise<payloads.Webhook>;
    /** A comment on an issue or pull request. */
    comment(comment: IssueComment, change?: payloads.CommentChange): payloads.Webhook;
    /** Its description. */
    issue(issue: Issue, change: { action: "opened" | "edited"; from?: string }): payloads.Webhook;
    reviewComment(comment: ReviewComment, change?: payloads.CommentChange): Promise<payloads.Webhook>;
    review(review: Review): Promise<payloads.Webhook>;
    thread(
      action: "resolved" | "unresolved",
      comment: ReviewComment,
      sender?: string,
    ): Promise<payloads.Webhook>;
    /** For example "privatized" or "renamed". */
    repository(action: string, repository: Repository, sender?: string): payloads.Webhook;
    checkRerequested(run: CheckRun, sender?: string): Promise<payloads.Webhook>;
    installation(action: string, installation: Installation): payloads.Webhook;
    push(repository: Repository): payloads.Webhook;
  };
};

function createEvents(world: World): Scene["events"] {
  return {
    pullRequest: (action, pullRequest, options) =>
      payloads.pullRequestEvent(world, pullRequest, { ...options, action }),
    comment: (comment, change) => payloads.commentEvent(world, comment, change),
    issue: (issue, change) => payloads.issueEvent(world, issue, change),
    reviewComment: (comment, change) => payloads.reviewCommentEvent(world, comment, change),
    review: (review) => payloads.reviewEvent(world, review),
    async thread(action, comment, sender = "ada") {
      const thread = threadOf(world, comment);
      if (thread === null) throw new Error("the thread is gone");
      return payloads.threadEvent(world, thread, { action, sender: userOf(world, sender) });
    },
    repository: (action, repository, sender = "ada") =>
      payloads.changedRepositoryEvent(world, repository, { action, sender: userOf(world, sender) }),
    checkRerequested: (run, sender = "ada") =>
      payloads.checkRerequestedEvent(world, run, userOf(world, sender)),
    installation: (action, installation) => payloads.installationEvent(world, installation, action),
    push: (repository) => payloads.pushEvent(world, repository, "0".repeat(40)),
  };
}

type Events = Scene["events"];
type Deliver = (webhook: payloads.Webhook) => void;

function createActions(
  world: World,
  directory: string,
  webhooks: { readonly events: Events; readonly deliver: Deliver },
) {
  const send = async (
    action: string,
    pullRequest: PullRequest,
    options: payloads.EventOptions = {},
  ): Promise<void> => webhooks.deliver(await webhooks.events.pullRequest(action, pullRequest, options));
  return {
    createRepository: (request: people.RepositoryRequest = {}) =>
      people.createRepository(world, directory, request),
    renameRepository(repository: Repository, name: string) {
      repository.formerNames.push(`${repository.owner.login}/${repository.name}`.toLowerCase());
      repository.name = name;
    },
    commit: (repository: Repository, files: Files, branch = repository.defaultBranch) =>
      people.commitTo(world, repository, { branch, files }),
    createFork: (repository: Repository, owner: string) => people.createFork(world, repository, owner),
    createIssue: (repository: Repository, request: people.IssueRequest = {}) =>
      people.createIssue(world, repository, request),
    async openPullRequest(repository: Repository, request: people.PullRequestRequest) {
      const opened = await people.openPullRequest(world, repository, request);
      await send("opened", opened);
      return opened;
    },
    async push(pullRequest: PullRequest, files: Files, options: { readonly isForced?: boolean } = {}) {
      const before = pullRequest.head;
      const after = await people.push(world, pullRequest, { files, ...options });
      await send("synchronize", pullRequest, { extra: { before, after } });
      return after;
    },
    async closePullRequest(pullRequest: PullRequest, { isMerged = false, by }: ClosingOptions = {}) {
      const sender = userOf(world, by ?? (isMerged ? "ada" : pullRequest.author.login));
      people.closePullRequest(world, pullRequest, isMerged ? sender : null);
      await send("closed", pullRequest, { sender });
    },
    async reopenPullRequest(pullRequest: PullRequest) {
      people.reopenPullRequest(world, pullRequest);
      await send("reopened", pullRequest);
    },
    deleteFork: (pullRequest: PullRequest, options: { readonly isOwnerGone?: boolean } = {}) =>
      people.deleteFork(world, pullRequest, options),
    comment: (
      issue: Issue,
      comment: { readonly author: string; readonly body: string; readonly association?: string },
    ) => people.addComment(world, issue, comment),
    review: (pullRequest: PullRequest, request: people.ReviewRequest) =>
      people.addReview(world, pullRequest, request),
    reply: (
      comment: ReviewComment,
      {
        author,
        body,
        association = "MEMBER",
      }: { readonly author: string; readonly body: string; readonly association?: string },
    ) => people.addReply(world, comment, { author: userOf(world, author), association, body }),
    editComment: (comment: IssueComment | ReviewComment, body: string) =>
      people.editComment(world, comment, body),
    deleteComment: (comment: IssueComment | ReviewComment) => people.deleteComment(world, comment),
    async resolveThread(comment: ReviewComment, by: string) {
      world.resolvedThreads.set(rootIdOf(comment), userOf(world, by));
      webhooks.deliver(await webhooks.events.thread("resolved", comment, by));
    },
    async unresolveThread(comment: ReviewComment, by?: string) {
      world.resolvedThreads.delete(rootIdOf(comment));
      webhooks.deliver(await webhooks.events.thread("unresolved", comment, by));
    },
    minimize(comment: ReviewComment) {
      world.minimizedComments.add(comment.id);
    },
    react: (comment: IssueComment | ReviewComment, given: teaching.GivenReaction) =>
      teaching.react(world, comment, given),
    takeBackReaction: (comment: IssueComment | ReviewComment, given: teaching.GivenReaction) =>
      teaching.takeBackReaction(world, comment, given),
    async commitSuggestion(comment: ReviewComment, by: string) {
      const { pullRequest } = comment;
      const before = pullRequest.head;
      const after = await teaching.commitSuggestion(world, comment, by);
      const sender = userOf(world, by);
      await send("synchronize", pullRequest, { extra: { before, after }, sender });
      return after;
    },
    setPrivate(repository: Repository, isPrivate: boolean, by?: string) {
      repository.isPrivate = isPrivate;
      const action = isPrivate ? "privatized" : "publicized";
      webhooks.deliver(webhooks.events.repository(action, repository, by));
    },
    foreignCheck: (repository: Repository, request: people.CheckRequest) =>
      people.addForeignCheck(world, repository, request),
    user: (login: string) => userOf(world, login),
  };
}

function createViews(world: World) {
  return {
    reviewsOf: (pullRequest: PullRequest) => world.reviews.filter((each) => each.pullRequest === pullRequest),
    reviewCommentsOf: (pullRequest: PullRequest) =>
      world.reviewComments.filter((each) => each.pullRequest === pullRequest),
    threadsOf: (pullRequest: PullRequest) =>
      Promise.all(
        threadsOf(world, pullRequest).map(async (thread) => ({
          ...thread,
          resolvedBy: world.resolvedThreads.get(thread.rootId)?.login ?? null,
          isOutdated: (await currentPlace(thread.comments[0])) === null,
        })),
      ),
    commentsOf: (issue: Issue) => world.issueComments.filter((each) => each.issue === issue),
    repliesOf: (root: ReviewComment) => world.reviewComments.filter((each) => each.replyTo === root.id),
    pullRequestsOf: (repository: Repository) =>
      world.pullRequests.filter((each) => each.repository === repository),
    branchesOf: (repository: Repository) => listBranches(repository.directory),
    commitOf: (repository: Repository, branch: string) =>
      readRef(repository.directory, `refs/heads/${branch}`).catch(() => null),
    fileAt: (repository: Repository, ref: string, path: string) => fileAt(repository.directory, ref, path),
    checksOf: (pullRequest: PullRequest) =>
      world.checkRuns.filter(
        (each) => each.repository === pullRequest.repository && each.head === pullRequest.head,
      ),
    reactionsOf: (subject: IssueComment | ReviewComment | Issue) =>
      world.reactions.filter((each) => each.subject === subjectOf(subject)).map(({ content }) => content),
  };
}

export function createScene(world: World, directory: string, deliver: Deliver): Scene {
  const events = createEvents(world);
  return { ...createActions(world, directory, { events, deliver }), ...createViews(world), events };
}
