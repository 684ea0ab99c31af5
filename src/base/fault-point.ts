/**
 * Named points at which a test can kill the process, to check the effects of a crash there. Nothing happens unless a point
 * is armed.
 */

/** Fault points of reviews. */
export const FAULT_POINTS = [
  "after-insert",
  "after-claim",
  "mid-clone",
  "after-findings",
  "after-intent",
  "after-create",
  "before-submit",
  "after-submit",
  "before-summary",
  "after-summary",
] as const;

/** Fault points of the job that embeds memories. */
export const EMBEDDING_FAULT_POINTS = ["in-embedding", "after-embedding"] as const;

/** Fault points of answers to mentions. */
export const MENTION_FAULT_POINTS = [
  "after-acknowledgement",
  "after-hand-over",
  "after-reply",
  "after-edits",
  "after-push",
  "after-pull-request",
  "before-answer",
  "after-answer",
  "before-settling",
  "after-settling",
] as const;

/** Fault points of a move to another database. */
export const MOVE_FAULT_POINTS = [
  "move-begun",
  "move-in-batch",
  "move-after-batch",
  "move-copied",
  "move-compared",
  "move-in-line",
] as const;

export type FaultPoint = (
  | typeof FAULT_POINTS
  | typeof EMBEDDING_FAULT_POINTS
  | typeof MENTION_FAULT_POINTS
  | typeof MOVE_FAULT_POINTS
)[number];

let armed: FaultPoint | null = null;
let armedFor = 0;

/** With a pull request's number, only its jobs crash, at points that know their pull request. 0: all jobs crash. */
export function armFaultPoint(point: FaultPoint, pullRequest = 0): void {
  armed = point;
  armedFor = pullRequest;
}

/** Kills this process like a power failure when the point is armed. */
export function reachFaultPoint(point: FaultPoint, pullRequest = 0): void {
  if (point === armed && (armedFor === 0 || armedFor === pullRequest)) process.kill(process.pid, "SIGKILL");
}
