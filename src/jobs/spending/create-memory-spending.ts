/** Spending of one review on the command line, where nobody else spends and nothing is kept. */
import type { Refusal, Reservation, Spending } from "../../model/spending.ts";
import { fromMicroUsd, toMicroUsd } from "./micro-usd.ts";

/** Null: no ceiling. */
export function createMemorySpending(perReviewUsd: number | null): Spending {
  const limit = perReviewUsd === null ? Infinity : toMicroUsd(perReviewUsd);
  let spent = 0;
  const refuse = (): Refusal => ({
    kind: "refused",
    budget: "budget.perReviewUsd",
    limitUsd: perReviewUsd ?? Infinity,
    spentUsd: fromMicroUsd(spent),
  });
  const reservationOf = (first: number): Reservation => {
    let reserved = first;
    return {
      kind: "reserved",
      async extend(usd) {
        const more = toMicroUsd(usd);
        if (spent + more > limit) return refuse();
        spent += more;
        reserved += more;
        return null;
      },
      async settle(usd) {
        spent += toMicroUsd(usd) - reserved;
      },
    } satisfies Reservation;
  };
  return {
    isLimited: perReviewUsd !== null,
    async reserve(usd) {
      const microUsd = toMicroUsd(usd);
      if (spent + microUsd > limit) return refuse();
      spent += microUsd;
      return reservationOf(microUsd);
    },
  } satisfies Spending;
}
