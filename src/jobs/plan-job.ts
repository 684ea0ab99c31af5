/**
 * What an event asks for: a job, or nothing and why. A pure table: it knows the event alone. What only the repository's
 * own configuration can say is decided by gate-review.ts when the job runs.
 */
import type {
  CommentTarget,
  ForgeEvent,
  IgnoredReason,
  Person,
  PullRequestAction,
  RepositoryRef,
} from "../forge/forge.ts";
import type { JobRequest } from "../queue/queue.ts";
import { planForget } from "./forget-job.ts";
import { parseCommand } from "./parse-command.ts";
import {
  type Asker,
  CLOSE_KIND,
  isExplicit,
  renderReviewJob,
  REVIEW_KIND,
  type ReviewTrigger,
  reviewSerialKey,
} from "./review-job.ts";

export type Plan =
  | { readonly kind: "enqueue"; readonly request: JobRequest }
  | { readonly kind: "skip"; readonly reason: EventSkipReason };

type SkipDetail =
  | IgnoredReason
  | `installation-${string}`
  | "own-event"
  | "bot-event"
  | "closed"
  | "own-comment"
  | "bot-comment"
  | "no-command"
  | "not-a-pull-request"
  | "unknown-command";

/** Why an event leads to no job. */
export type EventSkipReason = `skipped:${SkipDetail}`;

/** Somebody waits for an answer to a request; everything else can wait a little. */
const PRIORITY = { explicit: 10, review: 0, sweep: -10 } as const;

/** What each action of a pull request asks for. */
const ACTIONS: Readonly<Record<Exclude<PullRequestAction, "closed">, ReviewTrigger>> = {
  opened: "opened",
  reopened: "reopened",
  "ready-for-review": "ready-for-review",
  "review-requested": "review-requested",
  synchronize: "synchronize",
  "base-changed": "base-changed",
};

/**
 * Events of one head that ask for the same thing share a job: an open, a push and a sweep. The others may come again
 * at the same head and mean something new, so their job is named by the request.
 */
const SHARED: ReadonlySet<ReviewTrigger> = new Set(["opened", "synchronize", "sweep"]);

export function planJob(event: ForgeEvent, slug: string): Plan {
  switch (event.kind) {
    case "ignored":
      return skip(event.reason);
    case "installation":
      return skip(`installation-${event.action}`);
    case "uninstalled":
      return { kind: "enqueue", request: planForget(event) };
    case "pull-request": {
      const { repositoryRef, pullRequest, action, requestId } = event;
      if (isSelf(event.sender, slug)) return skip("own-event");
      if (action === "closed") return planClose(repositoryRef, pullRequest.number, requestId);
      if (!pullRequest.isOpen) return skip("closed");
      const isBot = pullRequest.author.isBot;
      const asker = { ...event.sender, isInsider: false };
      return planReview({
        ...pullRequest,
        repositoryRef,
        isBot,
        trigger: ACTIONS[action],
        requestId,
        reactTo: null,
        asker,
      });
    }
    case "check-rerequested": {
      const { repositoryRef, number, head, requestId } = event;
      if (event.sender.isBot) return skip("bot-event");
      const trigger = "check-rerequested";
      const asker = { ...event.sender, isInsider: false };
      return planReview({
        repositoryRef,
        number,
        head,
        isBot: false,
        trigger,
        requestId,
        reactTo: null,
        asker,
      });
    }
    case "comment":
      return planComment(event, slug);
  }
}

function planComment(event: ForgeEvent & { kind: "comment" }, slug: string): Plan {
  if (event.isOwn || isSelf(event.sender, slug)) return skip("own-comment");
  if (event.sender.isBot) return skip("bot-comment");
  const command = parseCommand(event.body, slug);
  if (command === null) return skip("no-command");
  if (!event.isPullRequest) return skip("not-a-pull-request");
  if (command !== "review") return skip("unknown-command");
  const { repositoryRef, number, requestId, target } = event;
  return planReview({
    repositoryRef,
    number,
    head: "",
    isBot: false,
    trigger: "comment",
    requestId,
    reactTo: target,
    asker: { ...event.sender, isInsider: event.isInsider },
  });
}

export type ReviewPlan = {
  readonly repositoryRef: RepositoryRef;
  readonly number: number;
  /** "" when the event does not say; the job reads it anyhow. */
  readonly head: string;
  readonly isBot: boolean;
  readonly trigger: ReviewTrigger;
  readonly requestId: string;
  readonly reactTo: CommentTarget | null;
  readonly asker: Asker | null;
};

export function planReview(plan: ReviewPlan): Plan & { kind: "enqueue" } {
  const { repositoryRef, number, trigger, requestId, reactTo, asker } = plan;
  const name = SHARED.has(trigger) ? plan.head : `${trigger}/${requestId}`;
  const priority = isExplicit(trigger)
    ? PRIORITY.explicit
    : trigger === "sweep"
      ? PRIORITY.sweep
      : PRIORITY.review;
  // A changed base asks anew at the same head, as a person would.
  const request = isExplicit(trigger) || trigger === "base-changed" ? requestId : "";
  return {
    kind: "enqueue",
    request: {
      key: `${REVIEW_KIND}/${repositoryRef.repositoryId}/${number}/${name}`,
      kind: REVIEW_KIND,
      lane: plan.isBot ? "dependency" : "review",
      serialKey: reviewSerialKey(repositoryRef, number),
      supersedes: supersedesOthers(plan),
      group: String(repositoryRef.installationId),
      priority,
      delayMs: 0,
      payload: renderReviewJob({ repositoryRef, number, trigger, request, reactTo, asker }),
    },
  };
}

/**
 * A sweep is about a head that seems forgotten: a job that works on it, or is going to, is not sent away for that. Nor does
 * a comment from outside the team stop what runs: its writer could otherwise keep a review from ever finishing.
 */
function supersedesOthers({ trigger, asker }: ReviewPlan): boolean {
  return trigger !== "sweep" && !(trigger === "comment" && asker?.isInsider === false);
}

/** Takes the place of every review that is queued or running, and ends what they began. */
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
        reactTo: null,
        asker: null,
      }),
    },
  };
}

function isSelf({ login }: Person, slug: string): boolean {
  return login.toLowerCase() === `${slug.toLowerCase()}[bot]`;
}

function skip(detail: SkipDetail): Plan {
  return { kind: "skip", reason: `skipped:${detail}` };
}
