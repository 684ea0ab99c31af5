/**
 * The life of a finding. open: reported, and still there, or not checked again. addressed: its code changed, and no reader has confirmed
 * that it is fixed. verified: something that could have found it again looked, and it is gone. ignored: a comment in the code ignores it.
 * suppressed: the configuration or feedback hides it. contested: a person disagreed. waived: a person accepted it as it is. expired: its
 * code is no longer part of the change. A finding that is ignored or suppressed is open again as soon as the reason is gone.
 */
export const LIFE_STATES = [
  "open",
  "addressed",
  "verified",
  "ignored",
  "suppressed",
  "contested",
  "waived",
  "expired",
] as const;
export type LifeState = (typeof LIFE_STATES)[number];

/** Whether the finding isn't over: its number and thread stay in use. */
export function isLive(state: LifeState): boolean {
  return state !== "verified" && state !== "expired";
}
