/** Actions of people on the fake GitHub: create repositories, open pull requests, push, close, comment. All use real git. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { commitFiles, type Files, initBareRepository, readRef, runGit, writeRef } from "./git.ts";
import { removeWhere } from "./json.ts";
import { placeComments } from "./operations/review-lines.ts";
import { subjectOf } from "./present/reactions.ts";
import {
  type CheckAnnotation,
  type CheckRun,
  type Installation,
  type Issue,
  type IssueComment,
  type PullRequest,
  type Repository,
  type Review,
  type ReviewComment,
  type ReviewState,
  type Side,
  type User,
  userOf,
  type World,
} from "./world.ts";

export type RepositoryRequest = {
  readonly owner?: string;
  readonly name?: string;
  /** `main` if not set. */
  readonly defaultBranch?: string;
  /** Files of the first commit on the default branch. */
  readonly files?: Files;
  readonly isPrivate?: boolean;
  /** Null if the app isn't installed there; default: the owner's installation. */
  readonly installation?: Installation | null;
};

export type PullRequestRequest = {
  readonly files: Files;
  readonly branch?: string;
  readonly base?: string;
  readonly title?: string;
  readonly body?: string | null;
  readonly author?: string;
  /** GitHub's author association. */
  readonly association?: string;
  readonly isDraft?: boolean;
  /** Login of the fork's owner. */
  readonly fork?: string;
};

export type ReviewRequest = {
  readonly author: string;
  readonly body: string;
  readonly state?: ReviewState;
  readonly commit?: string;
  readonly comments?: readonly {
    readonly path: string;
    readonly line: number;
    readonly start_line?: number;
    readonly side?: Side;
    readonly body: string;
  }[];
  /** GitHub's author association. */
  readonly association?: string;
};

export type CheckRequest = {
  readonly name: string;
  readonly head: string;
  readonly externalId?: string;
  /** Makes it a job of GitHub Actions. */
  readonly log?: string;
  readonly annotations?: readonly Omit<CheckAnnotation, "createdAtMs">[];
} & Partial<Pick<CheckRun, "status" | "conclusion" | "output">>;

export async function createRepository(
  world: World,
  directory: string,
  request: RepositoryRequest,
): Promise<Repository> {
  const owner = userOf(world, request.owner ?? "acme");
  const id = world.nextId();
  const installation =
    request.installation === undefined
      ? (world.installations.find(({ account, isDeleted }) => account === owner && !isDeleted) ?? null)
      : request.installation;
  const repository: Repository = {
    id,
    owner,
    name: request.name ?? "shop",
    formerNames: [],
    directory: join(directory, `${id}.git`),
    isPrivate: request.isPrivate ?? false,
    isArchived: false,
    parent: null,
    installation,
    roles: new Map([["ada", "write"]]),
    defaultBranch: request.defaultBranch ?? "main",
    protectedBranches: [],
    rulesetBranches: [],
    createdAtMs: world.clock.now(),
    lastNumber: 0,
  };
  await initBareRepository(repository.directory, repository.defaultBranch);
  await commitFiles(repository.directory, {
    ref: `refs/heads/${repository.defaultBranch}`,
    parent: null,
    message: "first version",
    files: request.files ?? { "README.md": "# Shop\n" },
  });
  world.repositories.push(repository);
  return repository;
}

/** Commits to a branch of the repository itself and returns the id. A new branch starts at the default branch. */
export async function commitTo(
  world: World,
  repository: Repository,
  change: { readonly branch: string; readonly files: Files },
): Promise<string> {
  const { directory, defaultBranch } = repository;
  const ref = `refs/heads/${change.branch}`;
  const parent = await readRef(directory, ref).catch(() => readRef(directory, `refs/heads/${defaultBranch}`));
  const commit = await commitFiles(directory, { ref, parent, message: "work", files: change.files });
  await updateHeads(world, repository, change.branch);
  return commit;
}

export async function createFork(world: World, base: Repository, owner: string): Promise<Repository> {
  const user = userOf(world, owner);
  const known = world.repositories.find((each) => each.parent === base && each.owner === user);
  if (known !== undefined) return known;
  const id = world.nextId();
  const fork: Repository = {
    ...base,
    id,
    owner: user,
    formerNames: [],
    directory: join(base.directory, "..", `${id}.git`),
    parent: base,
    installation: null,
    roles: new Map([[owner, "admin"]]),
    protectedBranches: [],
    rulesetBranches: [],
    createdAtMs: world.clock.now(),
    lastNumber: 0,
  };
  await initBareRepository(fork.directory, fork.defaultBranch);
  await runGit(fork.directory, ["fetch", "--quiet", base.directory, "+refs/heads/*:refs/heads/*"]);
  world.repositories.push(fork);
  return fork;
}

/** The base repository keeps a ref for every pull request's head, so it survives the fork. */
async function updateHead(pullRequest: PullRequest, source: Repository, branch: string): Promise<void> {
  const { directory } = pullRequest.repository;
  const ref = `refs/pull/${pullRequest.number}/head`;
  if (source === pullRequest.repository)
    await writeRef(directory, ref, await readRef(directory, `refs/heads/${branch}`));
  else await runGit(directory, ["fetch", "--quiet", source.directory, `+refs/heads/${branch}:${ref}`]);
  pullRequest.head = await readRef(directory, ref);
}

/** Updates the open pull requests of a branch that was pushed to, and returns those that have changed. */
export async function updateHeads(
  world: World,
  repository: Repository,
  branch: string,
): Promise<readonly { readonly pullRequest: PullRequest; readonly before: string }[]> {
  const updated: { pullRequest: PullRequest; before: string }[] = [];
  for (const pullRequest of world.pullRequests) {
    const isMeant = pullRequest.headRepository === repository && pullRequest.headRef === branch;
    if (!isMeant || !pullRequest.isOpen) continue;
    const before = pullRequest.head;
    await updateHead(pullRequest, repository, branch);
    if (pullRequest.head === before) continue;
    pullRequest.updatedAtMs = world.clock.now();
    updated.push({ pullRequest, before });
  }
  return updated;
}

/** A pull request before it gets its number. The branch exists in `source`. */
export type NewPullRequest = Pick<
  PullRequest,
  "repository" | "author" | "association" | "title" | "body" | "isDraft" | "baseRef" | "headRef" | "head"
> & { readonly source: Repository };

export async function addPullRequest(
  world: World,
  { source, ...request }: NewPullRequest,
): Promise<PullRequest> {
  const now = world.clock.now();
  const pullRequest: PullRequest = {
    ...request,
    id: world.nextId(),
    number: ++request.repository.lastNumber,
    isLocked: false,
    isOpen: true,
    mergedAtMs: null,
    mergedBy: null,
    closedAtMs: null,
    headRepository: source,
    headOwner: source.owner,
    requestedReviewers: [],
    createdAtMs: now,
    updatedAtMs: now,
  };
  world.pullRequests.push(pullRequest);
  await updateHead(pullRequest, source, request.headRef);
  return pullRequest;
}

export async function openPullRequest(
  world: World,
  repository: Repository,
  request: PullRequestRequest,
): Promise<PullRequest> {
  const branch = request.branch ?? `change-${repository.lastNumber + 1}`;
  const baseRef = request.base ?? repository.defaultBranch;
  const author = userOf(world, request.author ?? request.fork ?? "ada");
  const source = request.fork === undefined ? repository : await createFork(world, repository, request.fork);
  const head = await commitFiles(source.directory, {
    ref: `refs/heads/${branch}`,
    parent: await readRef(source.directory, `refs/heads/${baseRef}`),
    message: request.title ?? "Change",
    files: request.files,
  });
  return addPullRequest(world, {
    source,
    repository,
    author,
    association: request.association ?? (request.fork === undefined ? "MEMBER" : "CONTRIBUTOR"),
    title: request.title ?? "Change the shop",
    body: request.body === undefined ? "What it does." : request.body,
    isDraft: request.isDraft ?? false,
    baseRef,
    headRef: branch,
    head,
  });
}

/** Pushes another commit, or with `isForced` one that replaces all earlier ones. Returns the new head. */
export async function push(
  world: World,
  pullRequest: PullRequest,
  change: {
    readonly files: Files;
    readonly isForced?: boolean;
    readonly message?: string;
    readonly author?: string;
  },
): Promise<string> {
  const source = pullRequest.headRepository;
  if (source === null) throw new Error("the fork of this pull request is gone");
  await commitFiles(source.directory, {
    ref: `refs/heads/${pullRequest.headRef}`,
    parent:
      change.isForced === true
        ? await readRef(source.directory, `refs/heads/${pullRequest.baseRef}`)
        : pullRequest.head,
    message: change.message ?? "more work",
    files: change.files,
    ...(change.author === undefined ? {} : { author: change.author }),
  });
  await updateHead(pullRequest, source, pullRequest.headRef);
  pullRequest.updatedAtMs = world.clock.now();
  return pullRequest.head;
}

/** Merging sets the state only: the base branch stays as it is. */
export function closePullRequest(world: World, pullRequest: PullRequest, mergedBy: User | null): void {
  const now = world.clock.now();
  pullRequest.isOpen = false;
  pullRequest.closedAtMs = now;
  pullRequest.updatedAtMs = now;
  if (mergedBy === null) return;
  pullRequest.mergedAtMs = now;
  pullRequest.mergedBy = mergedBy;
}

export function reopenPullRequest(world: World, pullRequest: PullRequest): void {
  pullRequest.isOpen = true;
  pullRequest.closedAtMs = null;
  pullRequest.updatedAtMs = world.clock.now();
}

/** The fork's pull requests stay, because the base repository has their commits. */
export async function deleteFork(
  world: World,
  pullRequest: PullRequest,
  options: { readonly isOwnerGone?: boolean } = {},
): Promise<void> {
  const fork = pullRequest.headRepository;
  if (fork === null || fork.parent === null) throw new Error("this pull request does not come from a fork");
  for (const each of world.pullRequests) if (each.headRepository === fork) each.headRepository = null;
  if (options.isOwnerGone === true) pullRequest.headOwner = null;
  world.repositories.splice(world.repositories.indexOf(fork), 1);
  await rm(fork.directory, { recursive: true, force: true });
}

export type IssueRequest = {
  readonly title?: string;
  readonly body?: string | null;
  readonly author?: string;
  readonly association?: string;
};

export function createIssue(world: World, repository: Repository, request: IssueRequest): Issue {
  const now = world.clock.now();
  const issue: Issue = {
    id: world.nextId(),
    number: ++repository.lastNumber,
    repository,
    author: userOf(world, request.author ?? "grace"),
    association: request.association ?? "NONE",
    title: request.title ?? "The shop is closed",
    body: request.body === undefined ? "What happened." : request.body,
    isLocked: false,
    isOpen: true,
    closedAtMs: null,
    createdAtMs: now,
    updatedAtMs: now,
  };
  world.issues.push(issue);
  return issue;
}

/** Returns the text before. */
export function editComment(world: World, comment: IssueComment | ReviewComment, body: string): string {
  const before = comment.body;
  world.formerComments.push({ ...comment });
  comment.body = body;
  comment.updatedAtMs = world.clock.now();
  return before;
}

/** Replies stay when the first comment of their thread is deleted. */
export function deleteComment(world: World, comment: IssueComment | ReviewComment): void {
  const subject = subjectOf(comment);
  world.formerComments.push(comment);
  if ("issue" in comment) removeWhere(world.issueComments, (each) => each === comment);
  else deleteFromReview(world, comment);
  removeWhere(world.reactions, (each) => each.subject === subject);
}

/** A review without text goes with its last comment. */
function deleteFromReview(world: World, { id, review }: ReviewComment): void {
  removeWhere(world.reviewComments, (each) => each.id === id);
  if (review.body === "" && !world.reviewComments.some((each) => each.review === review))
    removeWhere(world.reviews, (each) => each === review);
}

export function addComment(
  world: World,
  issue: Issue,
  comment: { readonly author: string; readonly body: string; readonly association?: string },
): IssueComment {
  const now = world.clock.now();
  const added: IssueComment = {
    id: world.nextId(),
    issue,
    author: userOf(world, comment.author),
    association: comment.association ?? "MEMBER",
    isViaApp: false,
    body: comment.body,
    createdAtMs: now,
    updatedAtMs: now,
  };
  world.issueComments.push(added);
  return added;
}

/** Another person's review, with comments on lines of the diff. */
export async function addReview(
  world: World,
  pullRequest: PullRequest,
  request: ReviewRequest,
): Promise<{ readonly review: Review; readonly comments: readonly ReviewComment[] }> {
  const commit = request.commit ?? pullRequest.head;
  const placed = await placeComments(pullRequest, commit, request.comments ?? []);
  const now = world.clock.now();
  const state = request.state ?? "COMMENTED";
  const review: Review = {
    id: world.nextId(),
    pullRequest,
    author: userOf(world, request.author),
    association: request.association ?? "MEMBER",
    commit,
    body: request.body,
    state,
    createdAtMs: now,
    submittedAtMs: state === "PENDING" ? null : now,
  };
  const comments = placed.map((comment) => ({
    ...comment,
    id: world.nextId(),
    pullRequest,
    review,
    author: review.author,
    association: review.association,
    replyTo: null,
    createdAtMs: now,
    updatedAtMs: now,
  }));
  world.reviews.push(review);
  world.reviewComments.push(...comments);
  return { review, comments };
}

/** GitHub wraps every reply in a separate review. */
export function addReply(
  world: World,
  parent: ReviewComment,
  { author, association, body }: Pick<ReviewComment, "author" | "association" | "body">,
): ReviewComment {
  const createdAtMs = world.clock.now();
  const review: Review = {
    ...parent.review,
    id: world.nextId(),
    author,
    association,
    body: "",
    state: "COMMENTED",
    createdAtMs,
    submittedAtMs: createdAtMs,
  };
  const replyTo = parent.replyTo ?? parent.id;
  const reply = {
    ...parent,
    id: world.nextId(),
    review,
    author,
    association,
    body,
    replyTo,
    createdAtMs,
    updatedAtMs: createdAtMs,
  };
  world.reviews.push(review);
  world.reviewComments.push(reply);
  return reply;
}

/** Another app's check run. */
export function addForeignCheck(world: World, repository: Repository, request: CheckRequest): CheckRun {
  const now = world.clock.now();
  const run: CheckRun = {
    id: world.nextId(),
    isViaApp: false,
    repository,
    head: request.head,
    name: request.name,
    externalId: request.externalId ?? "",
    status: request.status ?? "completed",
    conclusion: request.conclusion === undefined ? "success" : request.conclusion,
    detailsUrl: null,
    output: request.output ?? { title: null, summary: null, text: null },
    annotations: (request.annotations ?? []).map((annotation) => ({ ...annotation, createdAtMs: now })),
    log: request.log ?? null,
    createdAtMs: now,
    startedAtMs: now,
    completedAtMs: now,
  };
  world.checkRuns.push(run);
  return run;
}
