/** The outcome of a finding, from the signals on it. */
import type { Memory } from "../review/context/memory.ts";
import type { Feedback } from "./feedback.ts";
import { byAuthority, SIGNAL_MEANINGS } from "./weigh-feedback.ts";

/**
 * A person's word beats what people did, and the newest word counts. `feedback` is of one finding. Signals that don't teach say nothing,
 * except that it was merged: that is a fact, no matter who merged.
 */
export function findingOutcome(feedback: readonly Feedback[]): Memory["outcome"] {
  const [decisive] = feedback
    .filter(({ teaches, signal }) => teaches || signal === "merged-untouched")
    .toSorted(byAuthority);
  if (decisive === undefined) return "open";
  if (decisive.signal === "merged-untouched") return "ignored";
  return SIGNAL_MEANINGS[decisive.signal].side === "accepts" ? "accepted" : "dismissed";
}
