/** Spending of one review on the command line: nothing else spends, and nothing is stored. */
import type { BudgetName } from "../../model/budget-names.ts";
import type { Refusal, Reservation, Spending } from "../../model/spending.ts";
import { fromMicroUsd, toMicroUsd } from "./micro-usd.ts";

export type Ceiling = { readonly name: BudgetName; readonly usd: number };

/** The lowest ceiling, or the first of several equal ones. A review may not cost more than a day or a month allows. */
export function lowestCeiling(
  named: readonly { readonly name: BudgetName; readonly usd: number | null }[],
): Ceiling | null {
  return named.reduce<Ceiling | null>(
    (lowest, { name, usd }) =>
      usd === null || (lowest !== null && lowest.usd <= usd) ? lowest : { name, usd },
    null,
  );
}

/** Null: no ceiling. `isLimited`: as in `Spending`. */
export function createMemorySpending(ceiling: Ceiling | null, isLimited = ceiling !== null): Spending {
  let spent = 0;
  /** Adds the amount unless the ceiling is too low. */
  const spend = (microUsd: number, withinUsd = Infinity): Refusal | null => {
    const limitUsd = Math.min(ceiling?.usd ?? Infinity, withinUsd);
    if (limitUsd !== Infinity && spent + microUsd > toMicroUsd(limitUsd))
      return {
        kind: "refused",
        budget: ceiling?.name ?? "perReviewUsd",
        limitUsd,
        spentUsd: fromMicroUsd(spent),
      };
    spent += microUsd;
    return null;
  };
  const reservationOf = (first: number, withinUsd: number | undefined): Reservation => {
    let reserved = first;
    return {
      kind: "reserved",
      async extend(usd) {
        const more = toMicroUsd(usd);
        const refusal = spend(more, withinUsd);
        if (refusal === null) reserved += more;
        return refusal;
      },
      async settle(usd) {
        spent += toMicroUsd(usd) - reserved;
      },
    } satisfies Reservation;
  };
  return {
    isLimited,
    reviewLimitUsd: ceiling?.usd ?? null,
    async reserve(usd, _model, withinUsd) {
      const microUsd = toMicroUsd(usd);
      return spend(microUsd, withinUsd) ?? reservationOf(microUsd, withinUsd);
    },
    spentUsd: async () => fromMicroUsd(spent),
  } satisfies Spending;
}
