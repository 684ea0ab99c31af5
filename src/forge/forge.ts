/**
 * The Forge port: where changes come from and where reviews are told. `Publisher` is all that the command line needs;
 * a `Forge` is a code host with events, pull requests and credentials. The values are plain: nothing of a host's own API
 * leaves its adapter.
 */
import type { MovedFinding, PullRequestPublication } from "../review/publication/pull-request-publication.ts";
import type { CheckReport } from "../review/context/check-report.ts";
import type { RemoteAccess } from "../repository/repository.ts";
import type { Publication } from "../review/publication/publication.ts";

/** Writes one review somewhere, once. */
export type Publisher = {
  publish(publication: Publication): Promise<void>;
};

/** A webhook as it came in; the signature has been checked. `body` is JSON. */
export type RawDelivery = { readonly id: string; readonly event: string; readonly body: string };

/** One repository as a job reaches it. Ids are the host's own; they survive renames. */
export type RepositoryRef = {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly owner: string;
  readonly name: string;
};

export type Person = { readonly login: string; readonly isBot: boolean };

/** What an event says about a pull request; the pull request itself is read again when the job runs. */
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
  | "closed";

/** What happened, in our words. `requestId` is from the signed body, so that a replay is recognised as one. */
export type ForgeEvent =
  | {
      readonly kind: "pull-request";
      readonly action: PullRequestAction;
      readonly repositoryRef: RepositoryRef;
      readonly pullRequest: EventPullRequest;
      readonly sender: Person;
      readonly requestId: string;
    }
  | {
      /** Somebody asked in words. On a pull request only; `isOwn` when we wrote it ourselves. */
      readonly kind: "comment";
      readonly repositoryRef: RepositoryRef;
      readonly number: number;
      readonly isPullRequest: boolean;
      readonly target: CommentTarget;
      readonly body: string;
      readonly sender: Person;
      readonly isOwn: boolean;
      /** The host counts the writer among the owners, members and collaborators. It doesn't say whether they may write. */
      readonly isInsider: boolean;
      readonly requestId: string;
    }
  | {
      /** Somebody pressed "re-run" on our check. */
      readonly kind: "check-rerequested";
      readonly repositoryRef: RepositoryRef;
      readonly number: number;
      readonly head: string;
      readonly sender: Person;
      readonly requestId: string;
    }
  | {
      readonly kind: "installation";
      readonly action: string;
      readonly installationId: number;
    }
  | {
      /** The app can't reach repositories any more: it was uninstalled, or they were taken out of the installation. */
      readonly kind: "uninstalled";
      readonly installationId: number;
      /** Null: all of the installation. */
      readonly repositoryIds: readonly number[] | null;
      readonly requestId: string;
    }
  /** Well-formed, and nothing to do. */
  | { readonly kind: "ignored"; readonly reason: IgnoredReason };

/** The detail of `skipped:…`. */
export type IgnoredReason =
  | "unhandled-event"
  | "unhandled-action"
  | "no-installation"
  | "edited-without-base"
  | "review-requested-of-others"
  | "review-without-words"
  | "check-of-others"
  | "check-without-pull-request";

export type ParsedEvent = {
  readonly event: ForgeEvent;
  /** For the record of the delivery; null where the payload has none. */
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly repository: string | null;
  readonly pullRequest: number | null;
  readonly sender: string | null;
};

export type CommentTarget = {
  readonly kind: "issue-comment" | "review-comment" | "pull-request";
  /** Id of the comment; number of the pull request for the last kind. */
  readonly id: number;
};

export type Reaction = "eyes" | "+1" | "confused";

export type PullRequest = {
  readonly repositoryRef: RepositoryRef;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
  readonly isDraft: boolean;
  readonly isLocked: boolean;
  readonly head: string;
  /** Name of the branch it comes from, with its owner for a fork; for people only. */
  readonly headLabel: string;
  readonly baseRef: string;
  readonly base: string;
  readonly isFork: boolean;
  readonly isPrivate: boolean;
  readonly author: Person;
  /** GitHub's word for the author's relation to the repository. */
  readonly association: string;
  readonly url: string;
};

export type PullRequestComment = {
  readonly id: number;
  readonly author: Person;
  readonly isOwn: boolean;
  readonly body: string;
  readonly createdAt: number;
};

/** What is written on a pull request. */
export type PublicationPart = "review" | "summary" | "check" | "answer";

/**
 * What has been done about one part, kept durably. `intended`: nothing has been sent. `attempted`: a request was sent and
 * its fate is unknown. `created`: it exists under `externalId` but is not visible yet (a pending review, a running check).
 * `published`: done.
 */
export type JournalEntry = {
  readonly state: "intended" | "attempted" | "created" | "published";
  readonly bodyHash: string;
  readonly marker: string;
  readonly externalId: number | null;
  readonly attemptedAt: number | null;
};

/**
 * Intents of one pull request. The review and the check belong to a head, the summary to the pull request, an answer to
 * a request.
 */
export type PublicationJournal = {
  read(part: PublicationPart): Promise<JournalEntry | null>;
  write(part: PublicationPart, intent: JournalEntry): Promise<void>;
};

/** Whether what is about to be written is still wanted; asked right before each visible step. */
export type PublishGuard = () => Promise<"go" | "lost" | "superseded" | "cancelled">;

export type PublishRequest = {
  readonly pullRequest: PullRequest;
  /** Tells reviews of one head apart when a person asked for another one; "" for the first. As in the journal. */
  readonly request: string;
  /** Composes what is written; called again with what the host refused. */
  readonly compose: (moved: readonly MovedFinding[]) => PullRequestPublication;
  readonly journal: PublicationJournal;
  readonly guard: PublishGuard;
  /** Whether a pull request that has become a draft is still written on. */
  readonly mayBeDraft: boolean;
};

export type PublishOutcome =
  | {
      readonly kind: "published";
      readonly reviewId: number | null;
      readonly summaryId: number | null;
      readonly checkId: number | null;
      readonly moved: readonly MovedFinding[];
    }
  /** Nothing visible was written. `stale-head` names the head that is there now. */
  | { readonly kind: "stale-head"; readonly head: string }
  | { readonly kind: "draft" }
  | { readonly kind: "closed" | "lost" | "superseded" | "cancelled" }
  /** The fate of a request is not known yet, or the host asked to wait: come back then. */
  | { readonly kind: "wait"; readonly untilMs: number; readonly reason: string };

/** A notice that a review could not be done, or will not be: concludes the check, writes nothing else. */
export type CheckNotice = {
  readonly conclusion: "neutral" | "cancelled";
  readonly title: string;
  readonly summary: string;
};

/** One line in answer to a request that leads to no review. */
export type AnswerRequest = {
  readonly pullRequest: PullRequest;
  /** Tells answers apart. As in the journal. */
  readonly request: string;
  readonly body: string;
  readonly journal: PublicationJournal;
  /** Whether another worker has the job by now. */
  readonly isLost: () => Promise<boolean>;
};

/** One job's access to one repository. Credentials are minted when first needed and revoked by `close`. */
export type ForgeSession = {
  readPullRequest(number: number): Promise<PullRequest>;
  /** Merged pull requests of an author in this repository; null when it cannot be known. */
  countMergedPullRequests(login: string): Promise<number | null>;
  /** Whether an account may push to the repository, by its own permission there. False for accounts the host doesn't know. */
  hasWriteAccess(login: string): Promise<boolean>;
  /** The newest comments, oldest of them first. */
  readThread(number: number, maxComments: number): Promise<readonly PullRequestComment[]>;
  /** Checks of a commit without our own, those that failed first; not more than a person would look at. */
  readChecks(head: string): Promise<readonly CheckReport[]>;
  cloneAccess(): RemoteAccess;
  /** Shows on the head that a review is under way. The same call after a crash finds the check again. */
  startCheck(pullRequest: PullRequest, journal: PublicationJournal): Promise<void>;
  concludeCheck(pullRequest: PullRequest, notice: CheckNotice, journal: PublicationJournal): Promise<void>;
  publish(request: PublishRequest): Promise<PublishOutcome>;
  /** Whether a review that was begun for this head and request is visible, whatever became of whoever began it. */
  isReviewVisible(begun: Pick<PublishRequest, "pullRequest" | "journal" | "request">): Promise<boolean>;
  /** The same call after a crash finds the answer again. */
  answer(request: AnswerRequest): Promise<void>;
  /** Adding the same reaction twice is adding it once. */
  react(target: CommentTarget, reaction: Reaction): Promise<void>;
  close(): Promise<void>;
};

/** A pull request that is open, as a sweep sees it. */
export type OpenPullRequest = {
  readonly repositoryRef: RepositoryRef;
  readonly pullRequest: EventPullRequest;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When the app was installed there. */
  readonly installedAt: number;
};

export type Forge = {
  /** Throws a KodiaiError: `bad-json`, or `bad-payload` when the body is not what the event promises. */
  parseEvent(delivery: RawDelivery): ParsedEvent;
  /** Name of the app as people mention it; "kodiai" until the host has told another. */
  slug(): string;
  openSession(repositoryRef: RepositoryRef): ForgeSession;
  /** Finds the repository of a pull request's address; null when the app is not installed there. */
  findRepository(owner: string, name: string): Promise<RepositoryRef | null>;
  /** Requests again what the host failed to deliver in the last `withinMs`; the number of requested deliveries. */
  redeliverFailed(withinMs: number): Promise<number>;
  /** Open pull requests of every installation that is not suspended. Throws at its end when some may be readable later. */
  listOpenPullRequests(): AsyncIterable<OpenPullRequest>;
  /** Whether our credentials are accepted: the app's name. Throws when they are not. */
  checkCredentials(): Promise<{ readonly slug: string }>;
};
