/** Has the first model get ready while the code around the change is gathered and the rules run. Nothing is sent to its provider before. */
import type { Model, Warmed } from "../../model/model.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import { modelPassesOf } from "./review-with-models.ts";
import { attemptLimits } from "./run-attempt.ts";

/** Null when it has nothing to start, or there is nothing for it to read. */
export function warmFirst(
  { warm }: Pick<Model, "warm">,
  { change, analysis, asked }: Pick<PreparedReview, "change" | "analysis" | "asked">,
): Warmed | null {
  const [pass] = modelPassesOf(change, analysis);
  if (warm === undefined || pass === undefined) return null;
  return warm(attemptLimits("full", pass.seconds * 1_000, asked !== null));
}
