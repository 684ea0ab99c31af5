/** Payload of a review job, as JSON in the queue: the pull request and the request for its review. Never a credential. */
import type { CommentTarget, Person, RepositoryRef } from "../forge/forge.ts";
import { parseStoredRef, type StoredRef } from "./stored-ref.ts";

export const REVIEW_TRIGGERS = [
  "opened",
  "reopened",
  "ready-for-review",
  "review-requested",
  "synchronize",
  "base-changed",
  "title-changed",
  "comment",
  "resume",
  "check-rerequested",
  "sweep",
  "model-back",
  "command-line",
] as const;

/**
 * `resume`: a comment that also ends a pause. `sweep`: the reconciler found an unreviewed head. `model-back`: it found a review that an
 * outage left without the model.
 */
export type ReviewTrigger = (typeof REVIEW_TRIGGERS)[number];

/** The sender of the signed event: the author of the comment, or the user who opened the pull request or pushed to it. */
export type Requester = Person & {
  /** The comment's author is an owner, member or collaborator. Their write access is looked up only when it matters. */
  readonly isInsider: boolean;
};

export type ReviewJob = {
  readonly repositoryRef: RepositoryRef;
  readonly number: number;
  readonly trigger: ReviewTrigger;
  /** Identifies an explicit request, so that the same head can be reviewed again; "" for all others. */
  readonly request: string;
  /** The person wants everything read again, not only what is new. */
  readonly isFull: boolean;
  /** The comment that requested the review; it gets a reaction. */
  readonly reactTo: CommentTarget | null;
  /** The first comment of the thread that the comment is in. Missing in the conversation. */
  readonly threadRoot?: number;
  /** Null when no event names one; the author of the pull request is used instead. */
  readonly requester: Requester | null;
};

/** `name` is a head, or `trigger/request` for what may be requested again for the same head. */
export function reviewKey({ repositoryId }: RepositoryRef, number: number, name: string): string {
  return `${REVIEW_KIND}/${repositoryId}/${number}/${name}`;
}

/** A person requested the review: gates don't apply, and an unchanged head is reviewed again. */
export function isExplicit(trigger: ReviewTrigger): boolean {
  return EXPLICIT.has(trigger);
}

const EXPLICIT: ReadonlySet<ReviewTrigger> = new Set([
  "review-requested",
  "comment",
  "resume",
  "check-rerequested",
  "command-line",
]);

export const REVIEW_KIND = "review-pull-request";
export const CLOSE_KIND = "close-pull-request";
export const LEARN_KIND = "learn";
export const REPLY_KIND = "read-reply";
export const SETTLE_KIND = "settle";

/** One running review per pull request; newer ones replace older ones. */
export function reviewSerialKey({ repositoryId }: RepositoryRef, number: number): string {
  return `${reviewsOfRepository(repositoryId)}${number}`;
}

/** The prefix of the serial keys of all jobs of a repository. */
export function reviewsOfRepository(repositoryId: number): string {
  return `review/${repositoryId}/`;
}

/** The payload with its stored key names, which other versions share: `place` and `asker`. */
type StoredReviewJob = Omit<ReviewJob, "repositoryRef" | "requester" | "isFull"> & {
  readonly place: StoredRef;
  /** Missing in jobs of older versions, like `isFull`. */
  readonly asker?: Requester | null;
  readonly isFull?: boolean;
};

export function renderReviewJob({ repositoryRef, requester, ...job }: ReviewJob): string {
  return JSON.stringify({ place: repositoryRef, ...job, asker: requester } satisfies StoredReviewJob);
}

/** The queue holds only what `renderReviewJob` wrote, so its shape is known. */
export function parseReviewJob(payload: string): ReviewJob {
  const { place, asker = null, isFull = false, ...job } = JSON.parse(payload) as StoredReviewJob;
  return { repositoryRef: parseStoredRef(place), ...job, isFull, requester: asker };
}
