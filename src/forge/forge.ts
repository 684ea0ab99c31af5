/**
 * The Forge port: the source of changes and the destination of reviews. The command line needs only a `Publisher`. A `Forge`
 * is a code host with events, pull requests and credentials. Its values are plain: no type of a host's API leaves the
 * adapter.
 */
import type { MovedFinding, PullRequestPublication } from "../review/publication/pull-request-publication.ts";
import type { CheckReport } from "../review/context/check-report.ts";
import type { RemoteAccess } from "../repository/repository.ts";
import type { Publication } from "../review/publication/publication.ts";

/** Publishes one review, once. */
export type Publisher = {
  publish(publication: Publication): Promise<void>;
};

/** A received webhook whose signature was verified. `body` is JSON. */
export type RawDelivery = { readonly id: string; readonly event: string; readonly body: string };

/** How a host's webhooks are received. */
export type Webhooks = {
  /** Of the endpoint. */
  readonly path: string;
  /**
   * Identifies a delivery if its signature is valid. Doesn't parse the body. `bodyHash` is the same for the same body; what is before
   * its last dash names the secret, without which two can't be compared.
   */
  read(
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    body: Uint8Array,
  ):
    | { readonly kind: "signed"; readonly id: string; readonly event: string; readonly bodyHash: string }
    | { readonly kind: "bad-signature" | "bad-headers" };
  /** Sentences for a sender whose delivery is refused. */
  readonly messages: Readonly<Record<"bad-signature" | "bad-headers" | "conflicting-delivery", string>>;
};

/** The page of a pull request. */
export type PullRequestAddress = {
  readonly url: string;
  /** Origin of the page: "https://github.com". */
  readonly origin: string;
  readonly owner: string;
  readonly name: string;
  readonly number: number;
};

/** Identifies a repository among those of all hosts. */
export type RepositoryKey = {
  /** Such as "github.com". "" in jobs and rows of versions that knew only one host: the app's. */
  readonly host: string;
  /** The host's number of the repository, which survives renames. */
  readonly forgeId: number;
};

/** A repository as its host describes it. The installation's number is the host's too. */
export type HostedRef = RepositoryKey & {
  readonly installationId: number;
  readonly owner: string;
  readonly name: string;
};

/** Identifies a repository for a job. */
export type RepositoryRef = HostedRef & {
  /** Ours, which no two repositories share: the key of tables, jobs and clones. `store/repositories/repository-ids.ts` gives it. */
  readonly repositoryId: number;
};

export type Person = { readonly login: string; readonly isBot: boolean };

/** A text that a person wrote, or has just changed. */
export type EventText = {
  readonly number: number;
  readonly isPullRequest: boolean;
  readonly source: "comment" | "description";
  readonly target: CommentTarget;
  /** The first comment of the thread on lines that it belongs to; null in the conversation. */
  readonly threadRoot: number | null;
  readonly body: string;
  /** The text before it was changed, and how long after writing it that was; null for a new text. */
  readonly edit: { readonly from: string; readonly ageMs: number } | null;
  /** The host's id of the sender's account; null for a deleted one. */
  readonly senderId: number | null;
  /** When it was written or changed; milliseconds since 1970. */
  readonly writtenAt: number;
  /** The app wrote it. */
  readonly isOwn: boolean;
  /** The host lists the author as an owner, member or collaborator, which doesn't imply write access. */
  readonly isInsider: boolean;
  readonly requestId: string;
};

/** The data of a pull request in an event. The job reads the pull request again when it runs. */
export type EventPullRequest = {
  readonly number: number;
  readonly head: string;
  readonly isDraft: boolean;
  readonly isOpen: boolean;
  readonly title: string;
  readonly author: Person;
};

export type PullRequestAction =
  | "opened"
  | "reopened"
  | "ready-for-review"
  | "review-requested"
  | "synchronize"
  | "base-changed"
  | "title-changed"
  | "closed";

/** An event as its host sent it. */
export type ForgeEvent = EventAbout<HostedRef, RepositoryKey>;

/** An event with our ids of its repositories. */
export type RegisteredEvent = EventAbout<RepositoryRef, number>;

/** An event, independent of the host. `requestId` comes from the signed body, so that a replay is recognized. */
type EventAbout<Ref, Id> =
  | {
      readonly kind: "pull-request";
      readonly action: PullRequestAction;
      readonly repositoryRef: Ref;
      readonly pullRequest: EventPullRequest;
      /** The title that the event replaced; null when it didn't change. An edit can change the base as well. */
      readonly previousTitle: string | null;
      /** The description, if the event is about it: the pull request is new, or its description changed. Left out: it isn't. */
      readonly description?: EventText;
      readonly sender: Person;
      readonly requestId: string;
    }
  | (EventText & {
      /** A user wrote or changed a comment, a review, or the description of a pull request or an issue. */
      readonly kind: "comment";
      readonly repositoryRef: Ref;
      readonly sender: Person;
    })
  | {
      /** A user selected "Re-run" on the app's check. */
      readonly kind: "check-rerequested";
      readonly repositoryRef: Ref;
      readonly number: number;
      readonly head: string;
      readonly sender: Person;
      readonly requestId: string;
    }
  | {
      /** A user resolved a thread on lines of a pull request, or opened it again. It may be anyone's thread. */
      readonly kind: "thread";
      readonly action: "resolved" | "unresolved";
      readonly repositoryRef: Ref;
      readonly number: number;
      readonly sender: Person;
      readonly requestId: string;
    }
  | {
      /** A repository became private or public, or got another name or owner. The values are the new ones. */
      readonly kind: "visibility";
      readonly repositoryRef: Ref;
      readonly isPrivate: boolean;
    }
  | {
      readonly kind: "installation";
      readonly action: string;
      readonly installationId: number;
    }
  | {
      /** The app lost access to repositories: it was uninstalled, or they were removed from the installation. */
      readonly kind: "uninstalled";
      readonly installationId: number;
      /** Null means all repositories of the installation. */
      readonly repositories: readonly Id[] | null;
      readonly requestId: string;
    }
  /** A valid event that needs no action. */
  | { readonly kind: "ignored"; readonly reason: IgnoredReason };

/** The detail of `skipped:…`. */
export type IgnoredReason =
  | "unhandled-event"
  | "unhandled-action"
  | "no-installation"
  | "edited-without-effect"
  | "review-requested-of-others"
  | "review-without-words"
  | "check-of-others"
  | "check-without-pull-request";

export type ParsedEvent = {
  readonly event: ForgeEvent;
  /** For the record of the delivery. Null if the payload has none. */
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryKey: RepositoryKey | null;
  readonly repository: string | null;
  readonly pullRequest: number | null;
  readonly sender: string | null;
  /** The head of the pull request, and the host's time since when it hasn't moved; milliseconds since 1970. */
  readonly seenHead: { readonly head: string; readonly at: number } | null;
};

export type CommentTarget = {
  readonly kind: "issue-comment" | "review-comment" | "pull-request";
  /** Id of the comment, or number of the pull request for the last kind. */
  readonly id: number;
  /** The review whose body it is; only for the last kind. */
  readonly reviewId?: number;
};

export type Reaction = "eyes" | "+1" | "confused";

export type PullRequest = {
  readonly repositoryRef: RepositoryRef;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
  /** Milliseconds since 1970; null unless it was merged. */
  readonly mergedAt: number | null;
  /** Null unless it was merged. */
  readonly mergedBy: Person | null;
  readonly isDraft: boolean;
  readonly isLocked: boolean;
  readonly head: string;
  /** Name of the head branch, with its owner for a fork. For display only. */
  readonly headLabel: string;
  /** Name of the head branch in its repository. */
  readonly headRef: string;
  readonly baseRef: string;
  readonly base: string;
  readonly isFork: boolean;
  readonly isPrivate: boolean;
  readonly author: Person;
  /** The app itself opened it, for edits that a person asked for. Left out: no. */
  readonly isOwn?: boolean;
  /** The author's association with the repository, as GitHub names it. */
  readonly association: string;
  /** The host's time of the last push, comment or edit; milliseconds since 1970. The head hasn't moved since then. */
  readonly updatedAt: number;
  readonly url: string;
};

export type PullRequestComment = {
  readonly id: number;
  readonly author: Person;
  readonly isOwn: boolean;
  readonly body: string;
  readonly createdAt: number;
};

/** A thread that the app started on lines of the change. */
export type ReviewThread = {
  /** The host's. */
  readonly id: string;
  /** From the signed marker of its first comment. */
  readonly findingId: string;
  /** The ids of further lines that the comment names. */
  readonly otherIds: readonly string[];
  /** The address of its first comment. */
  readonly url: string;
  /** The first comment, to answer in the thread; null if the address doesn't name it. */
  readonly root: number | null;
  readonly isResolved: boolean;
  /** The account that resolved it, if not the app. Null otherwise, or if the host doesn't name it. */
  readonly resolvedBy: Person | null;
  /** The commented lines have changed since. */
  readonly isOutdated: boolean;
  /** True when someone other than the app wrote the last comment. */
  readonly hasReply: boolean;
  /** Thumbs on its first comment, oldest first, up to a limit. Apps' and deleted accounts' aren't included. */
  readonly reactions: readonly ThreadReaction[];
  /** Comments by others than the app, oldest first, taken from the newest comments of the thread. */
  readonly replies: readonly ThreadReply[];
};

export type ThreadReaction = {
  readonly person: Person;
  readonly content: "+1" | "-1";
  /** Milliseconds since 1970. */
  readonly at: number;
};

export type ThreadReply = {
  readonly author: Person;
  /** Cut after 2,000 characters. */
  readonly body: string;
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** An issue that isn't a pull request. */
export type Issue = {
  readonly repositoryRef: RepositoryRef;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
  readonly isLocked: boolean;
  readonly author: Person;
  readonly url: string;
};

/** The repository itself, as its host describes it. */
export type HostedRepository = {
  readonly defaultBranch: string;
  readonly isPrivate: boolean;
  /** Of its page, without a slash at the end. */
  readonly url: string;
};

/** A branch, as its host describes it. */
export type HostedBranch = {
  /** A rule of the repository protects it. */
  readonly isProtected: boolean;
};

/** Where a comment is: in the conversation of an issue or pull request, or in a thread on lines. */
export type CommentPlace = {
  readonly number: number;
  readonly target: CommentTarget;
  /** The first comment of the thread; null in the conversation. */
  readonly threadRoot: number | null;
};

/** The comments before a comment, and the lines they are about. */
export type Discussion = {
  /** From the signed marker of the thread's first comment; null in the conversation and in others' threads. */
  readonly findingId: string | null;
  /** The lines that the thread is about; null in the conversation. */
  readonly lines: {
    readonly path: string;
    readonly side: "new" | "old";
    /** Null when the host no longer finds the line. */
    readonly startLine: number | null;
    readonly endLine: number | null;
    /** The hunk as the host shows it above the thread. */
    readonly hunk: string;
  } | null;
  /** Comments before the given one in the same place, oldest first, without any that was edited after it was written. */
  readonly comments: readonly PullRequestComment[];
};

/** The parts that are published. */
export type PublicationPart = "review" | "summary" | "check" | "answer" | "pull-request";

/**
 * The durable progress of one part. `intended`: nothing was sent. `attempted`: a request was sent, and its outcome is
 * unknown. `created`: the part exists as `externalId` but isn't final (a pending review, a running check). `published`: done.
 */
export type JournalEntry = {
  readonly state: "intended" | "attempted" | "created" | "published";
  readonly bodyHash: string;
  readonly marker: string;
  readonly externalId: number | null;
  readonly attemptedAt: number | null;
};

/**
 * The journal of one pull request. The review and the check belong to a head, the summary to the pull request, an answer to
 * a request.
 */
export type PublicationJournal = {
  read(part: PublicationPart): Promise<JournalEntry | null>;
  write(part: PublicationPart, intent: JournalEntry): Promise<void>;
};

/** Checks whether the publication is still wanted. Called right before each visible step. */
export type PublishGuard = () => Promise<"go" | "lost" | "superseded" | "cancelled">;

export type PublishRequest = {
  readonly pullRequest: PullRequest;
  /** Distinguishes repeated reviews of one head that a user requested; "" for the first. As in the journal. */
  readonly request: string;
  /**
   * Composes the publication. Called again with the findings that the host refused to show on their lines, and with the
   * addresses of the published comments by finding. Addresses change nothing but links.
   */
  readonly compose: (
    moved: readonly MovedFinding[],
    threads?: ReadonlyMap<string, string>,
  ) => PullRequestPublication;
  readonly journal: PublicationJournal;
  readonly guard: PublishGuard;
  /** Whether to publish on a pull request that has become a draft. */
  readonly mayBeDraft: boolean;
  /**
   * Ids of the app's threads whose findings were fixed. They are resolved between the review and the summary. A thread that
   * got a reply since it was read stays open.
   */
  readonly threadsToResolve: readonly string[];
};

/** Whether a part is on the host now, wasn't needed, or the credential may not write it. */
export type PartState = "written" | "not-needed" | "read-only-token";

export type WrittenParts = Readonly<Record<"review" | "summary" | "check", PartState>>;

export type PublishOutcome =
  | {
      readonly kind: "published";
      readonly reviewId: number | null;
      readonly summaryId: number | null;
      readonly checkId: number | null;
      readonly moved: readonly MovedFinding[];
      readonly written: WrittenParts;
      /** How many of the threads to resolve are still open: someone replied, or resolving failed. */
      readonly unresolvedThreads: number;
    }
  /** Nothing visible was written. `stale-head` contains the current head. */
  | { readonly kind: "stale-head"; readonly head: string }
  | { readonly kind: "draft" }
  | { readonly kind: "closed" | "lost" | "superseded" | "cancelled" }
  /** The outcome of a request is unknown, or the host's rate limit applies. Retry at `untilMs`. */
  | { readonly kind: "wait"; readonly untilMs: number; readonly reason: string };

/** A notice that a review failed or won't happen. It concludes the check and writes nothing else. */
export type CheckNotice = {
  readonly conclusion: "neutral" | "cancelled";
  readonly title: string;
  readonly summary: string;
};

/** An answer to a request: a comment that is posted once. */
export type AnswerRequest = {
  readonly repositoryRef: RepositoryRef;
  /** Of the issue or pull request. */
  readonly number: number;
  /** The first comment of the thread to answer in; null for the conversation. */
  readonly threadRoot: number | null;
  /** Distinguishes answers. As in the journal. */
  readonly request: string;
  /** Markdown that is safe to publish. */
  readonly body: string;
  readonly journal: PublicationJournal;
  /** Whether another worker has taken over the job. */
  readonly isLost: () => Promise<boolean>;
};

/** A pull request that Kodiai opens for edits that a person asked for. */
export type NewPullRequest = {
  readonly title: string;
  /** Markdown that is safe to publish. */
  readonly body: string;
  /** Of this repository, without refs/heads. */
  readonly branch: string;
  readonly baseBranch: string;
  /** Distinguishes requests. As in the journal. */
  readonly request: string;
  /** Of the issue or pull request where it was asked for. */
  readonly number: number;
  readonly journal: PublicationJournal;
  readonly isLost: () => Promise<boolean>;
};

/** New texts for a pull request that Kodiai opened. */
export type ProposalUpdate = {
  readonly number: number;
  /** Its branch, without refs/heads. */
  readonly branch: string;
  /** Null: it stays. A title that a person has changed stays in any case. */
  readonly title: string | null;
  /** Kodiai's part of the description: Markdown that is safe to publish. */
  readonly body: string;
};

/** The person or app in a commit's header. */
export type CommitIdentity = { readonly name: string; readonly email: string };

/** The pull requests of a repository. */
export type PullRequests = {
  read(number: number): Promise<PullRequest>;
  /** After a crash, the same call finds the pull request again. Null if another worker has taken over. */
  open(request: NewPullRequest): Promise<{ readonly number: number; readonly url: string } | null>;
  /** Changes only what the app itself wrote. False if a person has changed that part of the description: it stays then. */
  update(update: ProposalUpdate): Promise<boolean>;
};

/** The app's own reviews and their threads. */
export type Reviews = {
  publish(request: PublishRequest): Promise<PublishOutcome>;
  /** Whether a review that was started for this head and request is visible, even if its worker crashed. */
  isVisible(begun: Pick<PublishRequest, "pullRequest" | "journal" | "request">): Promise<boolean>;
  /** Returns the state that the last published summary carries. Null without one. */
  readState(number: number): Promise<string | null>;
  /** Returns the app's own threads on lines of the change, oldest first, up to a limit. */
  readThreads(number: number): Promise<readonly ReviewThread[]>;
  /**
   * Resolves the app's own threads with these ids, and returns how many of them are resolved now. Others' threads stay as they
   * are. One call resolves a limited number, and the next one continues.
   */
  resolveThreads(number: number, ids: readonly string[]): Promise<number>;
  /** Opens the app's own threads with these ids again, and returns how many of them are open now. */
  reopenThreads(number: number, ids: readonly string[]): Promise<number>;
};

/** The checks of commits. */
export type Checks = {
  /** Returns the checks of a commit without the app's own, failed ones first, up to a limit. */
  read(head: string): Promise<readonly CheckReport[]>;
  /** Shows on the head that a review is in progress. After a crash, the same call finds the check again. */
  start(pullRequest: PullRequest, journal: PublicationJournal): Promise<void>;
  conclude(pullRequest: PullRequest, notice: CheckNotice, journal: PublicationJournal): Promise<void>;
};

/** The comments on issues and pull requests, with the app's answers and reactions. */
export type Comments = {
  /** Returns what was said before a comment, up to `maxComments` of the newest. Null if the comment was deleted. */
  readDiscussion(place: CommentPlace, maxComments: number): Promise<Discussion | null>;
  /** After a crash, the same call finds the answer again. */
  answer(request: AnswerRequest): Promise<void>;
  /** Idempotent: adding the same reaction again has no effect. Throws `not-found` if the comment was deleted. */
  react(target: CommentTarget, reaction: Reaction): Promise<void>;
};

/** The rights and the history of accounts in the repository. */
export type People = {
  /** Whether an account has push access to the repository. False for accounts the host doesn't know. */
  hasWriteAccess(login: string): Promise<boolean>;
  /** Counts the merged pull requests of an author in this repository. Null if the number is unknown. */
  countMergedPullRequests(login: string): Promise<number | null>;
};

/** A file of the repository in which an owner keeps defaults for all repositories. `name` is for display. */
export type OwnerFile =
  | {
      readonly kind: "found";
      readonly name: string;
      readonly bytes: Uint8Array;
      /** Not everyone can read it. */
      readonly isPrivate: boolean;
    }
  /** There is none, or the app has no access to it: a host doesn't tell one from the other. */
  | { readonly kind: "absent"; readonly name: string }
  | { readonly kind: "too-large"; readonly name: string };

/** The repository itself: its branches, its files, and git's access to it, which is known after reading it or a pull request. */
export type Contents = {
  readRepository(): Promise<HostedRepository>;
  /** Null if the repository has no such branch. */
  readBranch(name: string): Promise<HostedBranch | null>;
  /** Reads a file of up to a megabyte at a commit or branch. Null if there is none. Throws `too-large` for a larger one. */
  readFile(path: string, ref: string): Promise<Uint8Array | null>;
  /** Reads the owner's file at its default branch, or what it was a few minutes ago. Throws only what may pass. */
  readOwnerFile(path: string): Promise<OwnerFile>;
  cloneAccess(): RemoteAccess;
  /** Access with permission to push, with a token of its own that nothing else uses. */
  pushAccess(): RemoteAccess;
  /** The app's account as the author of a commit. */
  commitIdentity(): Promise<CommitIdentity>;
};

/** One job's access to one repository, by what a step needs of it. Credentials are created when first needed and revoked by `close`. */
export type ForgeSession = {
  readonly pullRequests: PullRequests;
  readonly issues: { read(number: number): Promise<Issue> };
  readonly reviews: Reviews;
  readonly checks: Checks;
  readonly comments: Comments;
  readonly people: People;
  readonly contents: Contents;
  /** Sentences in Markdown on the permission that the app lacks when the host refuses a push, or to resolve a thread. */
  readonly missingPermission: Readonly<Record<"push" | "resolve", string>>;
  /** How people address the app in a comment, such as "@kodiai". */
  mention(): Promise<string>;
  /** From now on, writes take at most a third of what the host allows: they answer a person without write access. */
  limitWrites(): void;
  close(): Promise<void>;
};

/** An open pull request, as a sweep finds it. */
export type OpenPullRequest = {
  readonly repositoryRef: HostedRef;
  readonly pullRequest: EventPullRequest;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When the app was installed on the repository. */
  readonly installedAt: number;
};

export type Forge = {
  /** Such as "github", in the names of checks. */
  readonly name: string;
  /** Throws a KodiaiError: `bad-json`, or `bad-payload` if the body doesn't match the event. */
  parseEvent(delivery: RawDelivery): ParsedEvent;
  /** The app's name as used in mentions. "kodiai" until the host has reported another one. */
  slug(): string;
  openSession(repositoryRef: RepositoryRef): ForgeSession;
  /** Finds a repository by name. Null if the app isn't installed on it. */
  findRepository(owner: string, name: string): Promise<HostedRef | null>;
  /** Requests redelivery of the webhooks that failed in the last `withinMs`, and returns their number. */
  redeliverFailed(withinMs: number): Promise<number>;
  /** Lists the open pull requests of all active installations. Throws at the end if some may be readable later. */
  listOpenPullRequests(): AsyncIterable<OpenPullRequest>;
  /** Returns the app's name. Throws if the host rejects the app's credentials. */
  checkCredentials(): Promise<{ readonly slug: string }>;
};
