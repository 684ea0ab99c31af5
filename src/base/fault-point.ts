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
let armedFor = 0;

/** With the number of a pull request only its jobs crash, at points that know whose they are; 0: all do. */
export function armFaultPoint(point: FaultPoint, pullRequest = 0): void {
  armed = point;
  armedFor = pullRequest;
}

/** Kills this process, as a power cut would, when the point is armed. */
export function reachFaultPoint(point: FaultPoint, pullRequest = 0): void {
  if (point === armed && (armedFor === 0 || armedFor === pullRequest)) process.kill(process.pid, "SIGKILL");
}
