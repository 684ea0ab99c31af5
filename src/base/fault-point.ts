/**
 * Named points at which the process can be made to die, so that tests can prove what a crash there costs. Nothing
 * happens unless a point has been armed.
 */

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

export type FaultPoint = (typeof FAULT_POINTS)[number];

let armed: FaultPoint | null = null;

export function armFaultPoint(point: FaultPoint): void {
  armed = point;
}

/** Kills this process, as a power cut would, when the point is armed. */
export function reachFaultPoint(point: FaultPoint): void {
  if (point === armed) process.kill(process.pid, "SIGKILL");
}
