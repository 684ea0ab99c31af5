/** The state of the fake GitHub: people, installations, repositories, pull requests and their conversations. */
import type { AppRegistration } from "./app-manifest.ts";
import type { FakeClock } from "./clock.ts";
import type { Consent, PersonToken } from "./sign-in.ts";

export type User = {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization";
};

export type Level = "read" | "write";
export type Permissions = Readonly<Record<string, Level>>;

export type Installation = {
  readonly id: number;
  readonly account: User;
  permissions: Permissions;
  suspendedAtMs: number | null;
  isDeleted: boolean;
  readonly createdAtMs: number;
};

/** An installation token as it was created. */
export type Token = {
  readonly id: number;
  readonly value: string;
  readonly installation: Installation;
  readonly permissions: Permissions;
  /** Null means every repository of the installation. */
  readonly repositoryIds: readonly number[] | null;
  readonly mintedAtMs: number;
  readonly expiresAtMs: number;
  isRevoked: boolean;
  used: number;
};

export type Repository = {
  readonly id: number;
  readonly owner: User;
  name: string;
  /** Former names; requests to them are redirected. */
  readonly formerNames: string[];
  /** The bare repository on disk. */
  readonly directory: string;
  isPrivate: boolean;
  isArchived: boolean;
  readonly parent: Repository | null;
  installation: Installation | null;
  /** Roles by login: "admin", "write", "read". By default, Ada can write everywhere and others can read public repositories. */
  readonly roles: Map<string, string>;
  readonly defaultBranch: string;
  /** Names of branches, or prefixes that end in `*`, that only people can change, through pull requests. */
  readonly protectedBranches: string[];
  /** The same by a ruleset, which GitHub refuses with other words. */
  readonly rulesetBranches: string[];
  readonly createdAtMs: number;
  lastNumber: number;
};

/** An issue. As in GitHub's API, every pull request is one too. */
export type Issue = {
  readonly id: number;
  readonly number: number;
  readonly repository: Repository;
  readonly author: User;
  readonly association: string;
  title: string;
  body: string | null;
  isLocked: boolean;
  isOpen: boolean;
  closedAtMs: number | null;
  readonly createdAtMs: number;
  updatedAtMs: number;
};

export type PullRequest = Issue & {
  isDraft: boolean;
  mergedAtMs: number | null;
  mergedBy: User | null;
  baseRef: string;
  /** Null after the fork was deleted. */
  headRepository: Repository | null;
  readonly headRef: string;
  /** Null after the account was deleted. */
  headOwner: User | null;
  head: string;
  readonly requestedReviewers: User[];
};

export type ReviewState = "PENDING" | "COMMENTED" | "APPROVED" | "CHANGES_REQUESTED";

export type Review = {
  readonly id: number;
  readonly pullRequest: PullRequest;
  readonly author: User;
  readonly association: string;
  readonly commit: string;
  body: string;
  state: ReviewState;
  readonly createdAtMs: number;
  submittedAtMs: number | null;
};

export type Side = "LEFT" | "RIGHT";

export type ReviewComment = {
  readonly id: number;
  readonly pullRequest: PullRequest;
  readonly review: Review;
  readonly author: User;
  readonly association: string;
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  readonly startSide: Side | null;
  readonly startLine: number | null;
  readonly position: number;
  readonly diffHunk: string;
  body: string;
  /** The first comment of the thread, even after it was deleted. */
  readonly replyTo: number | null;
  readonly createdAtMs: number;
  updatedAtMs: number;
};

/** A comment in the conversation of an issue or pull request. */
export type IssueComment = {
  readonly id: number;
  readonly issue: Issue;
  readonly author: User;
  readonly association: string;
  /** Created with a token of the app. */
  readonly isViaApp: boolean;
  body: string;
  readonly createdAtMs: number;
  updatedAtMs: number;
};

export type CheckAnnotation = {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: "notice" | "warning" | "failure";
  readonly title: string | null;
  readonly message: string;
  readonly createdAtMs: number;
};

export type CheckRun = {
  readonly id: number;
  /** False for another app's check run. */
  readonly isViaApp: boolean;
  readonly repository: Repository;
  readonly head: string;
  name: string;
  externalId: string;
  status: string;
  conclusion: string | null;
  detailsUrl: string | null;
  output: { readonly title: string | null; readonly summary: string | null; readonly text: string | null };
  annotations: readonly CheckAnnotation[];
  /** Of a job of GitHub Actions; null for another app's check. */
  readonly log: string | null;
  readonly createdAtMs: number;
  startedAtMs: number;
  completedAtMs: number | null;
};

export type Reaction = {
  readonly id: number;
  readonly subject: string;
  readonly user: User;
  readonly content: string;
  readonly createdAtMs: number;
};

/** One change by a request, with the state at that moment, for the oracle. */
export type Write = {
  readonly operation: string;
  readonly atMs: number;
  readonly repository: Repository;
  readonly pullRequest: PullRequest | null;
  /** The issue or pull request; null for what belongs to neither. */
  readonly issue: Issue | null;
  /** Whether people can see it; a pending review is invisible. */
  readonly isVisible: boolean;
  /** State of the pull request at that moment. */
  readonly isOpen: boolean;
  readonly headThen: string | null;
  /** The commit that it refers to. */
  readonly commit: string | null;
  /** Set if it is a push that changed a branch. */
  readonly push: Push | null;
};

/** One ref that a client tried to change. */
export type Push = {
  readonly repository: Repository;
  /** Full name. */
  readonly ref: string;
  /** Without `refs/heads/`; null for refs that aren't branches. */
  readonly branch: string | null;
  /** The commit before and after; null if there was or is none. */
  readonly before: string | null;
  readonly after: string | null;
  readonly atMs: number;
  readonly pusher: User;
  /** Of an installation's token; null for a person's. */
  readonly tokenId: number | null;
  readonly permissions: Permissions | null;
  /** Why the ref stayed as it was; null if it was changed. */
  readonly refusedBecause: string | null;
};

export type App = {
  readonly id: number;
  readonly slug: string;
  readonly owner: User;
  readonly bot: User;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly publicKeyPem: string;
  readonly clientSecret: string;
  /** Where a person may be sent back after signing in. */
  readonly callbackUrls: readonly string[];
  readonly createdAtMs: number;
};

export type World = {
  readonly clock: FakeClock;
  /** `http://127.0.0.1:PORT`; the API is below `/api/v3`, as on GitHub Enterprise. */
  origin: string;
  /** The newest app. */
  app: App;
  /** Apps that people have created from manifests. */
  readonly registrations: AppRegistration[];
  readonly users: Map<string, User>;
  readonly installations: Installation[];
  readonly tokens: Token[];
  /** Personal tokens of people, who can access everything. */
  readonly userTokens: Map<string, User>;
  /** The person who sits at the browser and consents to a sign-in; null for one who refuses. */
  readonly browser: { login: string | null };
  readonly consents: Consent[];
  readonly personTokens: PersonToken[];
  readonly repositories: Repository[];
  /** Issues that aren't pull requests. */
  readonly issues: Issue[];
  readonly pullRequests: PullRequest[];
  readonly reviews: Review[];
  readonly reviewComments: ReviewComment[];
  /** The account that resolved a thread, by the id of its first comment. */
  readonly resolvedThreads: Map<number, User>;
  /** Ids of comments on lines that a maintainer hid. */
  readonly minimizedComments: Set<number>;
  readonly issueComments: IssueComment[];
  /** Comments as they were before people edited or deleted them. */
  readonly formerComments: (IssueComment | ReviewComment)[];
  readonly checkRuns: CheckRun[];
  readonly reactions: Reaction[];
  readonly writes: Write[];
  /** Every ref that a client tried to change, including refused ones. */
  readonly pushes: Push[];
  /** Lists don't show entries newer than this. */
  listLagMs: number;
  nextId(): number;
};

/** Ids exceed 32 bits, like GitHub's, so that code with smaller integers fails here and not in production. */
export function createWorld(app: App, clock: FakeClock, firstId = 3_000_000_001): World {
  let lastId = firstId;
  return {
    clock,
    origin: "",
    app,
    registrations: [],
    users: new Map([app.owner, app.bot].map((user) => [user.login.toLowerCase(), user])),
    installations: [],
    tokens: [],
    userTokens: new Map(),
    browser: { login: "ada" },
    consents: [],
    personTokens: [],
    repositories: [],
    issues: [],
    pullRequests: [],
    reviews: [],
    reviewComments: [],
    resolvedThreads: new Map(),
    minimizedComments: new Set(),
    issueComments: [],
    formerComments: [],
    checkRuns: [],
    reactions: [],
    writes: [],
    pushes: [],
    listLagMs: 0,
    nextId: () => lastId++,
  };
}

/** The account with this login; created if it doesn't exist. Logins that end in `[bot]` are bots. */
export function userOf(world: World, login: string): User {
  const known = world.users.get(login.toLowerCase());
  if (known !== undefined) return known;
  const user: User = { id: world.nextId(), login, type: login.endsWith("[bot]") ? "Bot" : "User" };
  world.users.set(login.toLowerCase(), user);
  return user;
}

export function apiUrl(world: World): string {
  return `${world.origin}/api/v3`;
}

export function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

/** As GitHub writes it in texts, such as `acme/shop#1`. */
export function issueName({ repository, number }: Issue): string {
  return `${fullName(repository)}#${number}`;
}

export function findRepository(world: World, owner: string, name: string): Repository | null {
  const isMeant = (each: Repository): boolean =>
    each.owner.login.toLowerCase() === owner.toLowerCase() && each.name.toLowerCase() === name.toLowerCase();
  return world.repositories.find(isMeant) ?? null;
}

/** The repository that had this name before it was renamed. */
export function findRenamed(world: World, owner: string, name: string): Repository | null {
  const wanted = `${owner}/${name}`.toLowerCase();
  return world.repositories.find((each) => each.formerNames.includes(wanted)) ?? null;
}

export function findPullRequest(world: World, repository: Repository, number: number): PullRequest | null {
  return (
    world.pullRequests.find((each) => each.repository.id === repository.id && each.number === number) ?? null
  );
}

/** The issue or pull request with this number. */
export function findIssue(world: World, repository: Repository, number: number): Issue | null {
  const isMeant = (each: Issue): boolean => each.repository.id === repository.id && each.number === number;
  return world.issues.find(isMeant) ?? findPullRequest(world, repository, number);
}

export function isPullRequest(issue: Issue): issue is PullRequest {
  return "headRef" in issue;
}
