/**
 * Decides whether a requested review happens, from the configuration at the base, the author's tags and earlier reviews.
 * Pure, and evaluated once the change is known. An explicit request passes every gate.
 */
import type { RepoConfig } from "../config/repo-config/schema.ts";
import type { PullRequest } from "../forge/forge.ts";
import type { Analysis } from "../review/analysis/analysis.ts";
import type { PriorReview } from "../review/context/prior-review.ts";
import { isOnlyPushed } from "./is-paused.ts";
import { isExplicit, type ReviewTrigger } from "./review-job.ts";

export type GateInput = {
  /** The job's own trigger, and those of the jobs it replaced. */
  readonly triggers: readonly ReviewTrigger[];
  readonly pullRequest: Pick<PullRequest, "isDraft" | "author" | "isOwn" | "head">;
  readonly config: RepoConfig;
  readonly analysis: {
    readonly intent: Pick<Analysis["intent"], "isDraft" | "skipReview">;
    readonly files: readonly Pick<Analysis["files"][number], "isSkipped">[];
  };
  readonly prior: { readonly runs: readonly Pick<PriorReview["runs"][number], "head" | "base">[] };
  /** Merge base of this change; "" when there is none. */
  readonly base: string;
  /** An outage left the last review of this head without the model. */
  readonly isModelOwed: boolean;
  /** Pushes aren't reviewed for now, because there were many. */
  readonly isPaused: boolean;
  /** A person paused automatic reviews. */
  readonly isPausedByPerson: boolean;
  /** A head that was reviewed before is reviewed again, because the caller needs the result. */
  readonly mayRepeat: boolean;
};

export type SkipReason =
  | "skipped:review-disabled"
  | "skipped:trigger-off"
  | "skipped:draft"
  | "skipped:no-review"
  | "skipped:author"
  | "skipped:bot-author"
  | "skipped:skip-paths"
  | "skipped:already-reviewed"
  | "skipped:paused"
  /** Decided by permit-review.ts, after every gate here has passed. */
  | "skipped:request-limit";

/** Bots that open pull requests to update dependencies. */
const DEPENDENCY_BOTS: ReadonlySet<string> = new Set([
  "dependabot[bot]",
  "dependabot-preview[bot]",
  "renovate[bot]",
  "renovate-bot",
]);

/** Null when the review happens. */
export function gateReview(input: GateInput): SkipReason | null {
  if (input.triggers.some((trigger) => isExplicit(trigger) && isTriggerOn(trigger, input))) return null;
  const { config, pullRequest, analysis } = input;
  const [lastReviewed] = input.prior.runs;
  const { review } = config;
  if (!review.enabled) return "skipped:review-disabled";
  // The review of this head has passed the gates before.
  const isOwed = input.isModelOwed && input.triggers.includes("model-back");
  if (isOwed && !input.isPausedByPerson) return null;
  if (isOnlyModelBack(input.triggers)) return "skipped:already-reviewed";
  if (!input.triggers.some((trigger) => isTriggerOn(trigger, input))) return "skipped:trigger-off";
  if ((pullRequest.isDraft || analysis.intent.isDraft) && !review.drafts) return "skipped:draft";
  if (analysis.intent.skipReview) return "skipped:no-review";
  const isAuthor = (login: string): boolean => login.toLowerCase() === pullRequest.author.login.toLowerCase();
  if (review.skipAuthors.some(isAuthor)) return "skipped:author";
  if (
    pullRequest.author.isBot &&
    pullRequest.isOwn !== true &&
    !isDependencyBot(pullRequest.author.login) &&
    !config.bots.allow.some(isAuthor)
  )
    return "skipped:bot-author";
  if (analysis.files.length > 0 && analysis.files.every(({ isSkipped }) => isSkipped))
    return "skipped:skip-paths";
  const isRepeated = lastReviewed?.head === pullRequest.head && lastReviewed.base === input.base;
  if (isRepeated && !input.mayRepeat) return "skipped:already-reviewed";
  return input.isPausedByPerson || (input.isPaused && isOnlyPushed(input.triggers)) ? "skipped:paused" : null;
}

/** Only the end of an outage led to the run. */
export function isOnlyModelBack(triggers: readonly ReviewTrigger[]): boolean {
  return triggers.length > 0 && triggers.every((trigger) => trigger === "model-back");
}

/** A job that only pushes triggered waits, so that a newer push can replace it. Milliseconds since 1970. */
export function reviewNotBefore(
  { triggers, config }: Pick<GateInput, "triggers" | "config">,
  queuedAt: number,
): number {
  return isOnlyPushed(triggers) ? queuedAt + config.review.debounceSeconds * 1_000 : queuedAt;
}

function isDependencyBot(login: string): boolean {
  return DEPENDENCY_BOTS.has(login.toLowerCase());
}

function isTriggerOn(trigger: ReviewTrigger, { config, prior: { runs } }: GateInput): boolean {
  const { triggers } = config.review;
  switch (trigger) {
    case "opened":
    case "reopened":
      return triggers.onOpened;
    case "ready-for-review":
    case "title-changed":
      return triggers.onReadyForReview;
    case "synchronize":
    case "base-changed":
      return triggers.onSynchronize;
    // A sweep finds pull requests whose open or push event didn't arrive.
    case "sweep":
      return runs.length === 0 ? triggers.onOpened : triggers.onSynchronize;
    // Decided by whether the model is owed.
    case "model-back":
      return false;
    case "review-requested":
      return triggers.onReviewRequested;
    case "comment":
    case "resume":
    case "check-rerequested":
    case "command-line":
      return true;
  }
}
