/** Why money ended an attempt of a model, as a stop reason. `review/publication/advise-failure.ts` reads the name of the budget from it. */
import type { Refusal } from "../../model/spending.ts";
import { grouped } from "../../base/count.ts";
import { describeUsd } from "../../review/publication/words.ts";
import { MAX_UNPRICED_TOKENS, type Shortage } from "./meter.ts";

/** `turns`: how many calls were answered before. */
export function describeShortage(shortage: Shortage, turns: number): string {
  if (shortage.kind === "tokens")
    return `a model without a known price may take ${grouped(MAX_UNPRICED_TOKENS)} tokens`;
  return describeRefusal(shortage, turns);
}

/** "the first call needs about USD 0.12; budget.perReviewUsd is USD 0.05, USD 0.00 spent or set aside". */
export function describeRefusal(
  { refusal, neededUsd }: { readonly refusal: Refusal; readonly neededUsd: number },
  turns: number,
): string {
  const { budget, limitUsd, spentUsd } = refusal;
  return [
    `the ${turns === 0 ? "first" : "next"} call needs about ${describeUsd(neededUsd)}`,
    `${budget} is ${describeUsd(limitUsd)}, ${describeUsd(spentUsd)} spent or set aside`,
  ].join("; ");
}
