/**
 * Converts webhook payloads to forge events. Pure, without network access. An event that needs no action is `ignored` with a
 * reason. Only a body that doesn't match its event is an error.
 */
import type * as z from "zod";
import { KodiaiError } from "../../base/errors.ts";
import type {
  EventText,
  Forge,
  ForgeEvent,
  IgnoredReason,
  ParsedEvent,
  Person,
  HostedRef,
  PullRequestAction,
  RawDelivery,
} from "../forge.ts";
import type { HandledEvent } from "./app-requirements.ts";
import { pullRequestOfCheck } from "./check-name.ts";
import { type PreviousText, previousTextIn, timeOf, writtenIn } from "./event-texts.ts";
import { isOwnText, type OwnAccount } from "./own-account.ts";
import {
  CheckRunPayload,
  CheckSuitePayload,
  type Described,
  Envelope,
  InstallationPayload,
  type InRepository,
  IssueCommentPayload,
  IssuePayload,
  PullRequestPayload,
  RepositoryPayload,
  ReviewCommentPayload,
  ReviewPayload,
  ReviewThreadPayload,
} from "./event-schemas.ts";

/** Kodiai's identity and its host, as far as events are compared with them. */
export type OwnIdentity = {
  readonly host: string;
  /** Null for a given token. */
  readonly appId: number | null;
  /** The name in mentions. Null until the app's own has been read. */
  readonly slug: string | null;
  /** The account of a given token. Missing for the app, whose account follows from its slug. */
  readonly account?: OwnAccount;
};

/** Events of a workflow name no installation. A given token belongs to none that we know. */
export const NO_INSTALLATION = 0;

/** The most likely name of the app. */
const DEFAULT_SLUG = "kodiai";

type Payload = {
  readonly envelope: Envelope;
  readonly body: unknown;
  readonly own: OwnIdentity;
  readonly deliveryId: string;
};

type Reader = {
  /** Null means every action. */
  readonly actions: readonly string[] | null;
  /** False for payloads about an account rather than a repository. */
  readonly isInRepository: boolean;
  readonly read: (payload: Payload) => ForgeEvent;
};

const PULL_REQUEST_ACTIONS: Readonly<Record<string, PullRequestAction>> = {
  opened: "opened",
  reopened: "reopened",
  ready_for_review: "ready-for-review",
  review_requested: "review-requested",
  synchronize: "synchronize",
  closed: "closed",
};

/** One for each event of the list of requirements, so that the app subscribes to exactly what is read. */
const READERS: Readonly<Record<HandledEvent, Reader>> = {
  pull_request: {
    actions: ["edited", ...Object.keys(PULL_REQUEST_ACTIONS)],
    isInRepository: true,
    read: readPullRequest,
  },
  issues: { actions: ["opened", "edited"], isInRepository: true, read: readIssue },
  issue_comment: { actions: ["created", "edited"], isInRepository: true, read: readIssueComment },
  pull_request_review_comment: {
    actions: ["created", "edited"],
    isInRepository: true,
    read: readReviewComment,
  },
  pull_request_review: { actions: ["submitted", "edited"], isInRepository: true, read: readReview },
  pull_request_review_thread: {
    actions: ["resolved", "unresolved"],
    isInRepository: true,
    read: readReviewThread,
  },
  repository: {
    actions: ["privatized", "publicized", "renamed", "transferred"],
    isInRepository: true,
    read: readRepository,
  },
  check_run: { actions: ["rerequested"], isInRepository: true, read: readCheckRun },
  check_suite: { actions: ["rerequested"], isInRepository: true, read: readCheckSuite },
  installation: { actions: null, isInRepository: false, read: readInstallation },
  installation_repositories: { actions: null, isInRepository: false, read: readInstallationRepositories },
};

/** A sender chooses the name, so that it never reaches a property of an object. */
const READER_BY_NAME: ReadonlyMap<string, Reader> = new Map(Object.entries(READERS));

/** The part of the forge that planning a job needs. */
export function createEventReader(own: OwnIdentity): Pick<Forge, "parseEvent" | "slug"> {
  return { slug: () => own.slug ?? DEFAULT_SLUG, parseEvent: (delivery) => parseEvent(delivery, own) };
}

export function parseEvent(
  { id: deliveryId, event: name, body: text }: RawDelivery,
  own: OwnIdentity,
): ParsedEvent {
  const body = parseJson(name, text);
  const envelope = parseWith(Envelope, name, body);
  return {
    event: readEvent(name, { envelope, body, own, deliveryId }),
    action: envelope.action ?? null,
    installationId: envelope.installation?.id ?? null,
    repositoryKey: envelope.repository == null ? null : { host: own.host, forgeId: envelope.repository.id },
    repository: envelope.repository?.full_name ?? null,
    pullRequest: envelope.pull_request?.number ?? envelope.issue?.number ?? envelope.number ?? null,
    sender: envelope.sender?.login ?? null,
    seenHead: seenHeadOf(envelope),
  };
}

function seenHeadOf({ pull_request: pullRequest }: Envelope): ParsedEvent["seenHead"] {
  const head = pullRequest?.head?.sha ?? "";
  const at = timeOf(pullRequest?.updated_at);
  return head === "" || at === 0 ? null : { head, at };
}

function readEvent(name: string, payload: Payload): ForgeEvent {
  const reader = READER_BY_NAME.get(name);
  if (reader === undefined) return ignored("unhandled-event");
  if (reader.actions !== null && !reader.actions.includes(payload.envelope.action ?? "")) {
    return ignored("unhandled-action");
  }
  // Repository webhooks, unlike app webhooks, have no installation, so there is no access to act with, unless a token is given.
  const isWithoutAccess = payload.own.account === undefined && payload.envelope.installation == null;
  if (reader.isInRepository && isWithoutAccess) return ignored("no-installation");
  return reader.read(payload);
}

function readPullRequest({ body, own }: Payload): ForgeEvent {
  const payload = parseWith(PullRequestPayload, "pull_request", body);
  const { base, title, body: previousBody } = payload.changes ?? {};
  const edit = base === undefined ? "title-changed" : "base-changed";
  const action = payload.action === "edited" ? edit : PULL_REQUEST_ACTIONS[payload.action];
  if (action === undefined) return ignored("unhandled-action");
  const hasText = (payload.pull_request.body ?? "") !== "";
  const isDescribed = hasText && (action === "opened" || previousBody !== undefined);
  const about = { isPullRequest: true, previous: previousBody, own };
  const description = isDescribed ? describedIn(payload.pull_request, payload, about) : null;
  if (action === "title-changed" && title === undefined)
    return description === null ? ignored("edited-without-effect") : comment(payload, own, description);
  if (action === "review-requested" && !isRequestedOfUs(payload.requested_reviewer?.login, own)) {
    return ignored("review-requested-of-others");
  }
  const { pull_request: pullRequest } = payload;
  return {
    kind: "pull-request",
    action,
    repositoryRef: repositoryRefOf(payload, own),
    pullRequest: {
      number: pullRequest.number,
      head: pullRequest.head.sha,
      isDraft: pullRequest.draft ?? false,
      isOpen: pullRequest.state === "open",
      title: pullRequest.title,
      author: personOf(pullRequest.user),
    },
    previousTitle: title?.from ?? null,
    ...(description === null ? {} : { description }),
    sender: personOf(payload.sender),
    requestId: `${action}:${pullRequest.head.sha}:${pullRequest.updated_at}`,
  };
}

function readIssue({ body, own }: Payload): ForgeEvent {
  const payload = parseWith(IssuePayload, "issues", body);
  const previous = payload.changes?.body;
  const isEdit = payload.changes != null;
  if (isEdit && previous === undefined) return ignored("edited-without-effect");
  return comment(payload, own, describedIn(payload.issue, payload, { isPullRequest: false, previous, own }));
}

/** The description of a pull request or an issue. */
function describedIn(
  { number, ...text }: Described,
  { sender }: Pick<InRepository, "sender">,
  { isPullRequest, previous, own }: { isPullRequest: boolean; previous: PreviousText; own: OwnIdentity },
): EventText {
  return {
    number,
    isPullRequest,
    source: "description",
    target: { kind: "pull-request", id: number },
    threadRoot: null,
    ...writtenIn(text, previous),
    senderId: sender?.id ?? null,
    isOwn: isOwn(text, own),
    isInsider: isInsider(text),
    requestId: `description:${number}`,
  };
}

function readIssueComment({ body, envelope, own }: Payload): ForgeEvent {
  const payload = parseWith(IssueCommentPayload, "issue_comment", body);
  return comment(payload, own, {
    number: payload.issue.number,
    isPullRequest: payload.issue.pull_request != null,
    source: "comment",
    target: { kind: "issue-comment", id: payload.comment.id },
    threadRoot: null,
    ...writtenIn(payload.comment, previousTextIn(envelope, payload)),
    senderId: payload.sender?.id ?? null,
    isOwn: isOwn(payload.comment, own),
    isInsider: isInsider(payload.comment),
    requestId: `comment:${payload.comment.id}`,
  });
}

function readReviewComment({ body, envelope, own }: Payload): ForgeEvent {
  const payload = parseWith(ReviewCommentPayload, "pull_request_review_comment", body);
  return comment(payload, own, {
    number: payload.pull_request.number,
    isPullRequest: true,
    source: "comment",
    target: { kind: "review-comment", id: payload.comment.id },
    threadRoot: payload.comment.in_reply_to_id ?? payload.comment.id,
    ...writtenIn(payload.comment, previousTextIn(envelope, payload)),
    senderId: payload.sender?.id ?? null,
    isOwn: isOwn(payload.comment, own),
    isInsider: isInsider(payload.comment),
    requestId: `review-comment:${payload.comment.id}`,
  });
}

function readReview({ body, envelope, own }: Payload): ForgeEvent {
  const payload = parseWith(ReviewPayload, "pull_request_review", body);
  const { review, pull_request: pullRequest } = payload;
  if ((review.body ?? "").trim() === "") return ignored("review-without-words");
  return comment(payload, own, {
    number: pullRequest.number,
    isPullRequest: true,
    source: "comment",
    // GitHub doesn't support reactions on reviews.
    target: { kind: "pull-request", id: pullRequest.number, reviewId: review.id },
    threadRoot: null,
    // A review has no time of its last edit.
    ...writtenIn(
      { ...review, updated_at: review.updated_at ?? pullRequest.updated_at },
      previousTextIn(envelope, payload),
    ),
    senderId: payload.sender?.id ?? null,
    isOwn: isOwn(review, own),
    isInsider: isInsider(review),
    requestId: `review:${review.id}`,
  });
}

function readReviewThread({ body, own }: Payload): ForgeEvent {
  const payload = parseWith(ReviewThreadPayload, "pull_request_review_thread", body);
  const { action, thread, pull_request: pullRequest } = payload;
  return {
    kind: "thread",
    action,
    repositoryRef: repositoryRefOf(payload, own),
    number: pullRequest.number,
    sender: personOf(payload.sender),
    requestId: `${action}:${thread.node_id}:${payload.updated_at ?? pullRequest.updated_at}`,
  };
}

function readRepository({ body, own }: Payload): ForgeEvent {
  const payload = parseWith(RepositoryPayload, "repository", body);
  return {
    kind: "visibility",
    repositoryRef: repositoryRefOf(payload, own),
    isPrivate: payload.repository.private,
  };
}

function readCheckRun({ body, own }: Payload): ForgeEvent {
  const payload = parseWith(CheckRunPayload, "check_run", body);
  const { check_run: check } = payload;
  if (check.app?.id !== own.appId) return ignored("check-of-others");
  // GitHub doesn't name the pull request if it comes from a fork, but the check's external id does.
  const number = pullRequestOfCheck(check.external_id ?? "") ?? check.pull_requests[0]?.number;
  if (number === undefined) return ignored("check-without-pull-request");
  return {
    kind: "check-rerequested",
    repositoryRef: repositoryRefOf(payload, own),
    number,
    head: check.head_sha,
    sender: personOf(payload.sender),
    requestId: `check:${check.id}:${check.completed_at ?? "running"}`,
  };
}

/** Handles "Re-run all checks". */
function readCheckSuite({ body, own }: Payload): ForgeEvent {
  const payload = parseWith(CheckSuitePayload, "check_suite", body);
  const { check_suite: suite } = payload;
  if (suite.app?.id !== own.appId) return ignored("check-of-others");
  const number = suite.pull_requests[0]?.number;
  if (number === undefined) return ignored("check-without-pull-request");
  return {
    kind: "check-rerequested",
    repositoryRef: repositoryRefOf(payload, own),
    number,
    head: suite.head_sha,
    sender: personOf(payload.sender),
    requestId: `suite:${suite.id}:${suite.updated_at}`,
  };
}

/** These bodies contain no time or number. A replay with another delivery id only repeats a check. */
function readInstallation({ body, deliveryId }: Payload): ForgeEvent {
  const { action, installation } = parseWith(InstallationPayload, "installation", body);
  const installationId = installation.id;
  if (action !== "deleted") return { kind: "installation", action, installationId };
  return { kind: "uninstalled", installationId, repositories: null, requestId: deliveryId };
}

function readInstallationRepositories({ body, own, deliveryId }: Payload): ForgeEvent {
  const payload = parseWith(InstallationPayload, "installation_repositories", body);
  const { action, installation, repositories_removed: removed } = payload;
  const installationId = installation.id;
  if (action !== "removed" || removed == null)
    return { kind: "installation", action: `repositories-${action}`, installationId };
  const repositories = removed.map(({ id }) => ({ host: own.host, forgeId: id }));
  return { kind: "uninstalled", installationId, repositories, requestId: deliveryId };
}

function comment(payload: InRepository, own: OwnIdentity, text: EventText): ForgeEvent {
  return {
    kind: "comment",
    repositoryRef: repositoryRefOf(payload, own),
    sender: personOf(payload.sender),
    ...text,
  };
}

function repositoryRefOf({ installation, repository }: InRepository, { host }: OwnIdentity): HostedRef {
  return {
    host,
    installationId: installation?.id ?? NO_INSTALLATION,
    forgeId: repository.id,
    owner: repository.owner.login,
    name: repository.name,
  };
}

type Account = { readonly login: string; readonly type?: string | undefined } | null | undefined;

/** GitHub shows deleted accounts under this name. */
const GHOST = "ghost";

export function personOf(account: Account): Person {
  const login = account?.login ?? GHOST;
  return { login, isBot: account?.type === "Bot" || login.endsWith("[bot]") };
}

function isOwn(
  written: {
    readonly user?: Account;
    readonly body?: string | null | undefined;
    readonly performed_via_github_app?: { readonly id: number } | null | undefined;
  },
  own: OwnIdentity,
): boolean {
  if (own.account !== undefined) return isOwnText(written, own.account);
  return written.performed_via_github_app?.id === own.appId || isOwnLogin(written.user?.login, own);
}

const TEAM: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

function isInsider({
  author_association: association,
}: {
  author_association?: string | undefined;
}): boolean {
  return TEAM.has(association ?? "");
}

function isOwnLogin(login: string | undefined, { slug, account }: OwnIdentity): boolean {
  if (account !== undefined) return login === account.login;
  return slug !== null && login === `${slug}[bot]`;
}

/** Users who can't request a review from an app may request it from an account with its name. */
function isRequestedOfUs(login: string | undefined, own: OwnIdentity): boolean {
  return isOwnLogin(login, own) || (own.slug !== null && login === own.slug);
}

function ignored(reason: IgnoredReason): ForgeEvent {
  return { kind: "ignored", reason };
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KodiaiError("bad-json", `the body of ${name} is not JSON`, {
      hint: "Set the content type of the webhook to application/json.",
    });
  }
}

function parseWith<Schema extends z.ZodType>(schema: Schema, name: string, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badPayload(name, `${issue?.path.join(".") || "the body"}: ${issue?.message ?? "unexpected"}`);
}

function badPayload(name: string, detail: string): KodiaiError {
  return new KodiaiError(
    "bad-payload",
    `the body of the ${name} event doesn't match GitHub's format: ${detail}`,
    {
      hint: "Check that only GitHub sends requests to the webhook URL, with the content type application/json.",
    },
  );
}
