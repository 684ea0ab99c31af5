/** Actions of people on the fake GitHub: create repositories, open pull requests, push, close, comment. All use real git. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { commitFiles, type Files, initBareRepository, readRef, runGit } from "./git.ts";
import { placeComments } from "./operations/review-lines.ts";
import {
  type CheckAnnotation,
  type CheckRun,
  type Installation,
  type IssueComment,
  type PullRequest,
  type Repository,
  type Review,
  type ReviewComment,
  type ReviewState,
  type User,
  userOf,
  type World,
} from "./world.ts";

export type RepositoryRequest = {
  readonly owner?: string;
  readonly name?: string;
  /** Files of the first commit on `main`. */
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
  readonly comments?: readonly { readonly path: string; readonly line: number; readonly body: string }[];
};

export type CheckRequest = {
  readonly name: string;
  readonly head: string;
  readonly externalId?: string;
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
    createdAtMs: world.clock.now(),
    lastNumber: 0,
  };
  await initBareRepository(repository.directory);
  await commitFiles(repository.directory, {
    ref: "refs/heads/main",
    parent: null,
    message: "first version",
    files: request.files ?? { "README.md": "# Shop\n" },
  });
  world.repositories.push(repository);
  return repository;
}

/** Commits to a branch of the repository itself and returns the id. */
export async function commitTo(repository: Repository, branch: string, files: Files): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const parent = await readRef(repository.directory, ref);
  return commitFiles(repository.directory, { ref, parent, message: "work", files });
}

async function forkOf(world: World, base: Repository, owner: string): Promise<Repository> {
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
    createdAtMs: world.clock.now(),
    lastNumber: 0,
  };
  await initBareRepository(fork.directory);
  await runGit(fork.directory, ["fetch", "--quiet", base.directory, "+refs/heads/*:refs/heads/*"]);
  world.repositories.push(fork);
  return fork;
}

/** The base repository keeps a ref for every pull request's head, so it survives the fork. */
async function updateHead(pullRequest: PullRequest, source: Repository, branch: string): Promise<void> {
  const { directory } = pullRequest.repository;
  const ref = `refs/pull/${pullRequest.number}/head`;
  if (source === pullRequest.repository) await runGit(directory, ["update-ref", ref, `refs/heads/${branch}`]);
  else await runGit(directory, ["fetch", "--quiet", source.directory, `+refs/heads/${branch}:${ref}`]);
  pullRequest.head = await readRef(directory, ref);
}

export async function openPullRequest(
  world: World,
  repository: Repository,
  request: PullRequestRequest,
): Promise<PullRequest> {
  const number = ++repository.lastNumber;
  const branch = request.branch ?? `change-${number}`;
  const baseRef = request.base ?? "main";
  const author = userOf(world, request.author ?? request.fork ?? "ada");
  const source = request.fork === undefined ? repository : await forkOf(world, repository, request.fork);
  await commitFiles(source.directory, {
    ref: `refs/heads/${branch}`,
    parent: await readRef(source.directory, `refs/heads/${baseRef}`),
    message: request.title ?? "Change",
    files: request.files,
  });
  const now = world.clock.now();
  const pullRequest: PullRequest = {
    id: world.nextId(),
    number,
    repository,
    author,
    association: request.association ?? (request.fork === undefined ? "MEMBER" : "CONTRIBUTOR"),
    title: request.title ?? "Change the shop",
    body: request.body === undefined ? "What it does." : request.body,
    isDraft: request.isDraft ?? false,
    isLocked: false,
    isOpen: true,
    mergedAtMs: null,
    mergedBy: null,
    closedAtMs: null,
    baseRef,
    headRepository: source,
    headRef: branch,
    headOwner: source.owner,
    head: "",
    requestedReviewers: [],
    createdAtMs: now,
    updatedAtMs: now,
  };
  await updateHead(pullRequest, source, branch);
  world.pullRequests.push(pullRequest);
  return pullRequest;
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

export function addComment(
  world: World,
  pullRequest: PullRequest,
  comment: { readonly author: string; readonly body: string; readonly association?: string },
): IssueComment {
  const now = world.clock.now();
  const added: IssueComment = {
    id: world.nextId(),
    pullRequest,
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
    association: "MEMBER",
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
  const reply = { ...parent, id: world.nextId(), review, author, association, body, replyTo, createdAtMs };
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
    createdAtMs: now,
    startedAtMs: now,
    completedAtMs: now,
  };
  world.checkRuns.push(run);
  return run;
}
