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
  const spend = (microUsd: number): Refusal | null => {
    if (ceiling !== null && spent + microUsd > toMicroUsd(ceiling.usd))
      return {
        kind: "refused",
        budget: ceiling.name,
        limitUsd: ceiling.usd,
        spentUsd: fromMicroUsd(spent),
      };
    spent += microUsd;
    return null;
  };
  const reservationOf = (first: number): Reservation => {
    let reserved = first;
    return {
      kind: "reserved",
      async extend(usd) {
        const more = toMicroUsd(usd);
        const refusal = spend(more);
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
    async reserve(usd) {
      const microUsd = toMicroUsd(usd);
      return spend(microUsd) ?? reservationOf(microUsd);
    },
    spentUsd: async () => fromMicroUsd(spent),
  } satisfies Spending;
}
