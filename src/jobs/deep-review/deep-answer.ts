/** The answer of a deep review, complete or not. */
import type { Outcome } from "../../model/model.ts";

export type DeepAnswer = {
  /** As the model wrote it; the part that had arrived if it was cut off. */
  readonly text: string;
  /** The reasoning that the provider showed; "" for none. */
  readonly thinking: string;
  readonly outcome: Outcome;
  /** Null if the price of the model is unknown. */
  readonly costUsd: number | null;
};

/** "truncated": the model reached the limit of its output. "stopped": the user pressed Ctrl-C. */
export type AnswerState = "complete" | "truncated" | "stopped" | "failed";

export function stateOf({
  outcome: { kind, stopReason },
  text,
}: Pick<DeepAnswer, "outcome" | "text">): AnswerState {
  if (kind === "completed") return "complete";
  if (kind === "stopped") return "stopped";
  const isLimit = stopReason.kind === "output-limit" || kind === "stopped-by-budget";
  return isLimit && text.trim() !== "" ? "truncated" : "failed";
}
