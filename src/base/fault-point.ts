/**
 * Named points at which the process can be made to die, so that tests can prove what a crash there costs. Nothing
 * happens unless a point has been armed.
 */

/** Those of a review. */
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

/** Those of a move to another database. */
export const MOVE_FAULT_POINTS = [
  "move-begun",
  "move-in-batch",
  "move-after-batch",
  "move-copied",
  "move-compared",
  "move-in-line",
] as const;

export type FaultPoint = (typeof FAULT_POINTS | typeof MOVE_FAULT_POINTS)[number];

let armed: FaultPoint | null = null;

export function armFaultPoint(point: FaultPoint): void {
  armed = point;
}

/** Kills this process, as a power cut would, when the point is armed. */
export function reachFaultPoint(point: FaultPoint): void {
  if (point === armed) process.kill(process.pid, "SIGKILL");
}
