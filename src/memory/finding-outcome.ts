/** The outcome of a finding, from the signals on it. */
import type { Memory } from "../review/context/memory.ts";
import { type Feedback, isOfTeam } from "./feedback.ts";
import { byAuthority, SIGNAL_MEANINGS } from "./weigh-feedback.ts";

/**
 * A person's word beats what people did, and the newest word counts. `feedback` is of one finding. Signals of people outside the team say
 * nothing, except that it was merged: that is a fact, no matter who merged.
 */
export function findingOutcome(feedback: readonly Feedback[]): Memory["outcome"] {
  const [decisive] = feedback
    .filter((row) => isOfTeam(row) || row.signal === "merged-untouched")
    .toSorted(byAuthority);
  if (decisive === undefined) return "open";
  if (decisive.signal === "merged-untouched") return "ignored";
  return SIGNAL_MEANINGS[decisive.signal].side === "accepts" ? "accepted" : "dismissed";
}
