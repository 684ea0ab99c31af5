/** What a review job carries, as JSON in the queue: which pull request, and what asked for it. Never a credential. */
import type { CommentTarget, Person, RepositoryRef } from "../forge/forge.ts";

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

/** Who asked, by the signed event: the writer of the comment, or whoever opened or pushed. */
export type Asker = Person & {
  /** The host counts the writer of the comment among the team. Whether they may write is asked when it matters. */
  readonly isInsider: boolean;
};

export type ReviewJob = {
  readonly repositoryRef: RepositoryRef;
  readonly number: number;
  readonly trigger: ReviewTrigger;
  /** Names an explicit request, so that it may be reviewed again at the same head; "" for all others. */
  readonly request: string;
  /** The comment that asked; it gets a reaction. */
  readonly reactTo: CommentTarget | null;
  /** Null where no event names one: then the author of the pull request counts. */
  readonly asker: Asker | null;
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
export function reviewSerialKey({ repositoryId }: RepositoryRef, number: number): string {
  return `${reviewsOfRepository(repositoryId)}${number}`;
}

/** With this begin the serial keys of all jobs of a repository. */
export function reviewsOfRepository(repositoryId: number): string {
  return `review/${repositoryId}/`;
}

/** The name under which the reference to the repository is stored: jobs of other versions have it too. */
type StoredReviewJob = Omit<ReviewJob, "repositoryRef" | "asker"> & {
  readonly place: RepositoryRef;
  /** Older versions wrote none. */
  readonly asker?: Asker | null;
};

export function renderReviewJob({ repositoryRef, ...job }: ReviewJob): string {
  return JSON.stringify({ place: repositoryRef, ...job } satisfies StoredReviewJob);
}

/** The queue holds only what `renderReviewJob` wrote, so its shape is known. */
export function parseReviewJob(payload: string): ReviewJob {
  const { place, asker = null, ...job } = JSON.parse(payload) as StoredReviewJob;
  return { repositoryRef: place, ...job, asker };
}

/** Which pull request a job is about; null for jobs that are about none. */
export function pullRequestOf({ kind, payload }: { readonly kind: string; readonly payload: string }) {
  if (kind !== REVIEW_KIND && kind !== CLOSE_KIND) return null;
  const { repositoryRef, number, trigger } = parseReviewJob(payload);
  return { repository: `${repositoryRef.owner}/${repositoryRef.name}`, number, trigger };
}
