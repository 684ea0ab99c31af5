/**
 * Decides whether reviews of pushes are paused. A script that pushes in a loop, or a series of fixups, would otherwise get a
 * review for each push. Nothing is stored for a pause: the recorded runs show when it begins and ends. Pure.
 */
import type { Run } from "../store/repositories/to-run.ts";
import { isExplicit, type ReviewTrigger, REVIEW_TRIGGERS } from "./review-job.ts";

/** Far more than a person pushes in an hour of normal work, and a limit on what a loop costs. */
export const MAX_REVIEWED_PUSHES = 10;

/** A run older than this no longer counts, so a pause ends by itself. */
export const PAUSE_WINDOW_MS = 60 * 60 * 1_000;

/** Only pushes led to the run. A pause stops no other run. */
export function isOnlyPushed(triggers: readonly ReviewTrigger[]): boolean {
  return triggers.every((trigger) => trigger === "synchronize");
}

/** `runs`: those of the pull request that finished within the window, oldest first. */
export function isPaused(runs: readonly Pick<Run, "triggers" | "status">[]): boolean {
  const pushes = runs.slice(runs.findLastIndex(isResumed) + 1).filter(isReviewedPush);
  return pushes.length >= MAX_REVIEWED_PUSHES;
}

/** A request over the limits was refused, so it resumes nothing. */
function isResumed({ triggers, status }: Pick<Run, "triggers" | "status">): boolean {
  return parseTriggers(triggers).includes("resume") && status !== "skipped";
}

function isReviewedPush({ triggers: stored, status }: Pick<Run, "triggers" | "status">): boolean {
  const triggers = parseTriggers(stored);
  const isReviewed = status === "completed" || status === "partial";
  return isReviewed && triggers.includes("synchronize") && !triggers.some(isExplicit);
}

function parseTriggers(stored: string): readonly ReviewTrigger[] {
  const names = new Set(stored.split(","));
  return REVIEW_TRIGGERS.filter((trigger) => names.has(trigger));
}
