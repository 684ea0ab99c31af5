/** Spending of one review on the command line, where nobody else spends and nothing is kept. */
import type { Refusal, Reservation, Spending } from "../../model/spending.ts";
import { fromMicroUsd, toMicroUsd } from "./micro-usd.ts";

export type Ceiling = {
  /** As people know it: `budget.perReviewUsd`, `--budget-usd`. */
  readonly name: string;
  readonly usd: number;
};

/** The first of those that allow least. One review may cost no more than a day or a month of them. */
export function lowestCeiling(
  named: readonly { readonly name: string; readonly usd: number | null }[],
): Ceiling | null {
  return named.reduce<Ceiling | null>(
    (lowest, { name, usd }) =>
      usd === null || (lowest !== null && lowest.usd <= usd) ? lowest : { name, usd },
    null,
  );
}

/** Null: no ceiling. `isLimited`: as in `Spending`. */
export function createMemorySpending(ceiling: Ceiling | null, isLimited = ceiling !== null): Spending {
  const limit = ceiling === null ? Infinity : toMicroUsd(ceiling.usd);
  let spent = 0;
  const refuse = (): Refusal => ({
    kind: "refused",
    budget: ceiling?.name ?? "",
    limitUsd: ceiling?.usd ?? Infinity,
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
    isLimited,
    async reserve(usd) {
      const microUsd = toMicroUsd(usd);
      if (spent + microUsd > limit) return refuse();
      spent += microUsd;
      return reservationOf(microUsd);
    },
    spentUsd: async () => fromMicroUsd(spent),
  } satisfies Spending;
}
