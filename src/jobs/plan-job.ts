/**
 * Maps an event to a job, or to the reason for skipping it. Pure: it knows only the event. Decisions that need the
 * repository's configuration are made by gate-review.ts when the job runs.
 */
import type {
  CommentTarget,
  EventText,
  RegisteredEvent,
  IgnoredReason,
  Person,
  PullRequestAction,
  RepositoryRef,
} from "../forge/forge.ts";
import type { JobRequest } from "../queue/queue.ts";
import { parseIntent } from "../review/analysis/intent.ts";
import { planForget } from "./forget-job.ts";
import { planLearn } from "./memory/learn-job.ts";
import { planMention } from "./mentions/mention-job.ts";
import { parseMentions } from "./mentions/parse-mention.ts";
import { parseThreadReply } from "./mentions/parse-thread-reply.ts";
import {
  type Requester,
  CLOSE_KIND,
  isExplicit,
  renderReviewJob,
  REVIEW_KIND,
  type ReviewTrigger,
  reviewKey,
  reviewSerialKey,
} from "./review-job.ts";

export type Plan =
  | {
      readonly kind: "enqueue";
      readonly request: JobRequest;
      /** Further jobs of the same event, in the order of the text. Left out: none. */
      readonly also?: readonly JobRequest[];
    }
  | { readonly kind: "skip"; readonly reason: EventSkipReason }
  /** Recorded together with the delivery: from then on no review sees memories that it may not see. */
  | { readonly kind: "visibility"; readonly repositoryRef: RepositoryRef; readonly isPrivate: boolean };

type SkipDetail =
  | IgnoredReason
  | `installation-${string}`
  | "own-event"
  | "bot-event"
  | "closed"
  | "own-comment"
  | "bot-comment"
  | "no-command"
  | "visibility-recorded";

/** Why an event leads to no job. */
export type EventSkipReason = `skipped:${SkipDetail}`;

/** Explicit requests come first, because a person is waiting for the answer. */
const PRIORITY = { explicit: 10, review: 0, outsider: -5, upkeep: -10 } as const;

/** The reconciler's triggers: no event waits for them. */
const UPKEEP: ReadonlySet<ReviewTrigger> = new Set(["sweep", "model-back"]);

/** The trigger for each pull request action. */
const ACTIONS: Readonly<Record<Exclude<PullRequestAction, "closed">, ReviewTrigger>> = {
  opened: "opened",
  reopened: "reopened",
  "ready-for-review": "ready-for-review",
  "review-requested": "review-requested",
  synchronize: "synchronize",
  "base-changed": "base-changed",
  "title-changed": "title-changed",
};

/**
 * Kodiai opens pull requests and pushes for people, and those are reviewed like anyone's. A review never leads to another push: only a
 * person's comment does.
 */
const OWN_ACTIONS: ReadonlySet<PullRequestAction> = new Set(["opened", "synchronize"]);

/**
 * Triggers whose events share one job per head: an open, a push and a sweep. Other triggers can recur at the same head
 * with a new meaning, so the job's key contains the request ID.
 */
const SHARED: ReadonlySet<ReviewTrigger> = new Set(["opened", "synchronize", "sweep"]);

export function planJob(event: RegisteredEvent, slug: string): Plan {
  switch (event.kind) {
    case "ignored":
      return skip(event.reason);
    case "installation":
      return skip(`installation-${event.action}`);
    case "thread": {
      const { repositoryRef, number, requestId } = event;
      if (event.sender.isBot) return skip("bot-event");
      return { kind: "enqueue", request: planLearn({ repositoryRef, number, name: requestId }) };
    }
    case "visibility":
      return { kind: "visibility", repositoryRef: event.repositoryRef, isPrivate: event.isPrivate };
    case "uninstalled":
      return { kind: "enqueue", request: planForget({ ...event, repositoryIds: event.repositories }) };
    case "pull-request":
      return withDescription(planPullRequest(event, slug), event, slug);
    case "check-rerequested": {
      const { repositoryRef, number, head, requestId } = event;
      if (event.sender.isBot) return skip("bot-event");
      const trigger = "check-rerequested";
      const requester = { ...event.sender, isInsider: false };
      return planReview({
        repositoryRef,
        number,
        head,
        isBot: false,
        trigger,
        requestId,
        isFull: false,
        reactTo: null,
        requester,
      });
    }
    case "comment":
      return planComment(event, slug);
  }
}

type PullRequestEvent = RegisteredEvent & { readonly kind: "pull-request" };

function planPullRequest(event: PullRequestEvent, slug: string): Plan {
  const { repositoryRef, pullRequest, action, requestId } = event;
  if (isSelf(event.sender, slug) && !OWN_ACTIONS.has(action)) return skip("own-event");
  if (action === "closed") return planClose(repositoryRef, pullRequest.number, requestId);
  if (!pullRequest.isOpen) return skip("closed");
  const isReleased = isReleasedByTitle(event);
  if (action === "title-changed" && !isReleased) return skip("edited-without-effect");
  const isBot = pullRequest.author.isBot;
  const requester = { ...event.sender, isInsider: false };
  return planReview({
    ...pullRequest,
    repositoryRef,
    isBot,
    // An edit can also change the base, but only this trigger makes up for the review that the tag held back.
    trigger: isReleased ? "title-changed" : ACTIONS[action],
    requestId,
    isFull: false,
    reactTo: null,
    requester,
  });
}

/** A new pull request is reviewed, and the commands in its description are carried out. */
function withDescription(plan: Plan, event: PullRequestEvent, slug: string): Plan {
  const { description, repositoryRef, sender } = event;
  if (description === undefined || !event.pullRequest.isOpen) return plan;
  const mentioned = planComment({ ...description, kind: "comment", repositoryRef, sender }, slug);
  if (mentioned.kind !== "enqueue") return plan;
  if (plan.kind !== "enqueue") return mentioned;
  return { ...plan, also: [mentioned.request, ...(mentioned.also ?? [])] };
}

/** A mention that is added later than this isn't noticed: the conversation has gone on. */
const MAX_EDIT_AGE_MS = 10 * 60 * 1_000;

function planComment(event: RegisteredEvent & { kind: "comment" }, slug: string): Plan {
  if (event.isOwn || isSelf(event.sender, slug)) return skip("own-comment");
  const { body, source, edit } = event;
  if (edit !== null && !isAddedSoon(event, slug)) return skip("edited-without-effect");
  const commands = parseMentions(body, slug, source);
  const names = commands.map((_, index) =>
    index === 0 ? event.requestId : `${event.requestId}/${index + 1}`,
  );
  const [first, ...others] = commands.map((command, index) => {
    const [requestId = "", ...after] = names.slice(0, index + 1).toReversed();
    return planMention({
      ...mentionIn(event),
      command,
      requestId,
      ...(after.length > 0 && { after }),
    });
  });
  if (first !== undefined)
    return { kind: "enqueue", request: first, ...(others.length > 0 && { also: others }) };
  if (event.sender.isBot) return skip("bot-comment");
  return edit === null ? planReply(event) : skip("no-command");
}

/** The text mentions the app now, and didn't before. */
function isAddedSoon({ body, source, edit }: EventText, slug: string): boolean {
  if (edit === null || edit.ageMs > MAX_EDIT_AGE_MS) return false;
  return parseMentions(edit.from, slug, source).length === 0 && parseMentions(body, slug, source).length > 0;
}

function mentionIn(event: RegisteredEvent & { kind: "comment" }) {
  const { repositoryRef, number, isPullRequest, target, threadRoot, writtenAt, senderId } = event;
  const requester = { ...event.sender, isInsider: event.isInsider };
  return {
    repositoryRef,
    place: { number, target, threadRoot },
    isPullRequest,
    requester,
    requesterId: senderId,
    writtenAt,
  };
}

/** A reply in a thread teaches, if the thread is about a finding. If it asks something, it may get an answer without a mention. */
function planReply(event: RegisteredEvent & { kind: "comment" }): Plan {
  const { repositoryRef, number, target, threadRoot, requestId, body } = event;
  if (target.kind !== "review-comment") return skip("no-command");
  const request = planLearn({ repositoryRef, number, name: requestId });
  const command = threadRoot === target.id ? null : parseThreadReply(body);
  if (command === null) return { kind: "enqueue", request };
  const reply = planMention({ ...mentionIn(event), command, requestId, isUnaddressed: true });
  return { kind: "enqueue", request, also: [reply] };
}

export type ReviewPlan = {
  readonly repositoryRef: RepositoryRef;
  readonly number: number;
  /** "" when the event doesn't contain it; the job reads the current head anyway. */
  readonly head: string;
  readonly isBot: boolean;
  readonly trigger: ReviewTrigger;
  readonly requestId: string;
  readonly isFull: boolean;
  readonly reactTo: CommentTarget | null;
  /** The first comment of the thread that the request is in. Missing: none. */
  readonly threadRoot?: number | null;
  readonly requester: Requester | null;
  /** A person without write access asked for it in a comment, so it waits behind the reviews of the installation. Missing: no. */
  readonly isOutsider?: boolean;
};

export function planReview(plan: ReviewPlan): Plan & { kind: "enqueue" } {
  const { repositoryRef, number, trigger, requestId, isFull, reactTo, requester, threadRoot = null } = plan;
  const thread = threadRoot === null ? {} : { threadRoot };
  const name = SHARED.has(trigger) ? plan.head : `${trigger}/${requestId}`;
  const explicit = plan.isOutsider === true ? PRIORITY.outsider : PRIORITY.explicit;
  const other = UPKEEP.has(trigger) ? PRIORITY.upkeep : PRIORITY.review;
  const priority = isExplicit(trigger) ? explicit : other;
  // A changed base and the end of an outage request a new review of the same head, like an explicit request.
  const isAgain = isExplicit(trigger) || trigger === "base-changed" || trigger === "model-back";
  const request = isAgain ? requestId : "";
  return {
    kind: "enqueue",
    request: {
      key: reviewKey(repositoryRef, number, name),
      kind: REVIEW_KIND,
      lane: plan.isBot ? "dependency" : "review",
      serialKey: reviewSerialKey(repositoryRef, number),
      supersedes: supersedesOthers(plan),
      group: String(repositoryRef.installationId),
      priority,
      delayMs: 0,
      payload: renderReviewJob({
        repositoryRef,
        number,
        trigger,
        request,
        isFull,
        reactTo,
        ...thread,
        requester,
      }),
    },
  };
}

/**
 * Whether the job replaces older ones. One of the reconciler doesn't: a queued or running job already covers the head. A comment from
 * outside the team doesn't either, or its author could keep a review from ever finishing.
 */
function supersedesOthers({ trigger, reactTo, requester }: ReviewPlan): boolean {
  return !UPKEEP.has(trigger) && (reactTo === null || requester?.isInsider !== false);
}

/** Replaces every queued or running review of the pull request, and concludes their checks. */
function planClose(repositoryRef: RepositoryRef, number: number, requestId: string): Plan {
  return {
    kind: "enqueue",
    request: {
      key: `${CLOSE_KIND}/${repositoryRef.repositoryId}/${number}/${requestId}`,
      kind: CLOSE_KIND,
      lane: "review",
      serialKey: reviewSerialKey(repositoryRef, number),
      supersedes: true,
      group: String(repositoryRef.installationId),
      priority: PRIORITY.explicit,
      delayMs: 0,
      payload: renderReviewJob({
        repositoryRef,
        number,
        trigger: "opened",
        request: "",
        isFull: false,
        reactTo: null,
        requester: null,
      }),
    },
  };
}

/** The old title held the review back with a tag, and the new one doesn't. */
function isReleasedByTitle({
  previousTitle,
  pullRequest,
}: RegisteredEvent & { kind: "pull-request" }): boolean {
  return previousTitle !== null && isHeldBack(previousTitle) && !isHeldBack(pullRequest.title);
}

function isHeldBack(title: string): boolean {
  const { isDraft, skipReview } = parseIntent({ title, body: "", commits: [] });
  return isDraft || skipReview;
}

function isSelf({ login }: Person, slug: string): boolean {
  return login.toLowerCase() === `${slug.toLowerCase()}[bot]`;
}

function skip(detail: SkipDetail): Plan {
  return { kind: "skip", reason: `skipped:${detail}` };
}
