/** What a review job carries, as JSON in the queue: which pull request, and what asked for it. Never a credential. */
import type { CommentTarget, Place } from "../forge/forge.ts";

export const REVIEW_TRIGGERS = [
  "opened",
  "reopened",
  "ready-for-review",
  "review-requested",
  "synchronize",
  "base-changed",
  "comment",
  "check-rerequested",
  "sweep",
  "command-line",
] as const;

/** `sweep`: the reconciler found a head without an outcome. */
export type ReviewTrigger = (typeof REVIEW_TRIGGERS)[number];

export type ReviewJob = {
  readonly place: Place;
  readonly number: number;
  readonly trigger: ReviewTrigger;
  /** Names an explicit request, so that it may be reviewed again at the same head; "" for all others. */
  readonly request: string;
  /** The comment that asked; it gets a reaction. */
  readonly reactTo: CommentTarget | null;
};

/** A person asked for it: gates do not apply, and an unchanged head is reviewed again. */
export function isExplicit(trigger: ReviewTrigger): boolean {
  return EXPLICIT.has(trigger);
}

const EXPLICIT: ReadonlySet<ReviewTrigger> = new Set([
  "review-requested",
  "comment",
  "check-rerequested",
  "command-line",
]);

export const REVIEW_KIND = "review-pull-request";
export const CLOSE_KIND = "close-pull-request";

/** One running review per pull request; newer ones take the place of older ones. */
export function reviewSerialKey({ repositoryId }: Place, number: number): string {
  return `review/${repositoryId}/${number}`;
}

export function renderReviewJob(job: ReviewJob): string {
  return JSON.stringify(job);
}

/** The queue holds only what `renderReviewJob` wrote, so its shape is known. */
export function parseReviewJob(payload: string): ReviewJob {
  return JSON.parse(payload) as ReviewJob;
}

/** Which pull request a job is about; null for jobs that are about none. */
export function pullRequestOf({ kind, payload }: { readonly kind: string; readonly payload: string }) {
  if (kind !== REVIEW_KIND && kind !== CLOSE_KIND) return null;
  const { place, number, trigger } = parseReviewJob(payload);
  return { repository: `${place.owner}/${place.name}`, number, trigger };
}
