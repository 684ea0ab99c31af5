/**
 * The life of a finding. open: reported, and still there. addressed: its code changed, and no run has checked it since. verified: its
 * code changed, and a run that read it doesn't find it any more. contested: a person disagreed. waived: a person accepted it as it
 * is. expired: its code is no longer part of the change.
 */
export const LIFE_STATES = ["open", "addressed", "verified", "contested", "waived", "expired"] as const;
export type LifeState = (typeof LIFE_STATES)[number];

/** Whether a finding in this state isn't reported again. */
export function isLive(state: LifeState): boolean {
  return state !== "verified" && state !== "expired";
}
