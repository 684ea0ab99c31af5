/** Only `finish_review` completes a review. A model that stops without it gets one reminder; then its review counts as unfinished. */
import type { ModelTask, Outcome } from "../../model/model.ts";

const REMINDER = [
  "The review is not finished: you stopped without calling finish_review, and files that you have not marked do not count as read.",
  "Look at the changes that you have not seen with show_diff, record every finding that is certain with record_finding,",
  "mark the files that you have read with mark_reviewed, then call finish_review.",
].join(" ");

/** For one attempt. */
export function createReminder(): NonNullable<ModelTask["remind"]> {
  let isReminded = false;
  return () => {
    const text = isReminded ? null : REMINDER;
    isReminded = true;
    return text;
  };
}

/** Findings are recorded with tools: a model that only writes text hasn't reviewed. */
export function judgeEnd(outcome: Outcome, toolCalls: number): Outcome {
  if (outcome.kind !== "completed" || outcome.stopReason.kind === "finished") return outcome;
  const kind = toolCalls === 0 ? "no-tool-calls" : "not-finished";
  return { ...outcome, kind: "failed", stopReason: { kind } };
}
