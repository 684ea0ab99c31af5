/** The part of a review's budget that is kept for second readings. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Refusal, Spending } from "../../model/spending.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";

/** The reviewer that finds things needs the larger part. */
const SHARE = 0.3;

/** With less, not even one short conversation is certain. */
const MIN_USD = 0.05;

/** The budget of the reviewing models: without the share that is kept. A refusal counts the share as reserved, as it is. */
export function withoutShare(spending: Spending, { verify }: Pick<RepoConfig["review"], "verify">): Spending {
  const { reviewLimitUsd } = spending;
  if (verify === "off" || reviewLimitUsd === null) return spending;
  const withinUsd = reviewLimitUsd * (1 - SHARE);
  const asWhole = (refusal: Refusal): Refusal =>
    refusal.limitUsd === withinUsd
      ? { ...refusal, limitUsd: reviewLimitUsd, spentUsd: refusal.spentUsd + reviewLimitUsd - withinUsd }
      : refusal;
  return {
    ...spending,
    async reserve(usd, model) {
      const reservation = await spending.reserve(usd, model, withinUsd);
      if (reservation.kind === "refused") return asWhole(reservation);
      return {
        ...reservation,
        async extend(more) {
          const refusal = await reservation.extend(more);
          return refusal === null ? null : asWhole(refusal);
        },
      };
    },
  };
}

/**
 * The budget of second readings, or null when too little is left. The cost so far, and the probable cost of those under way,
 * stay within the share. A call may reserve more than that for its longest answer: the reviewing models are done, and the review's limit holds.
 */
export async function openShare(
  spending: Spending,
  entries: readonly NumberedEntry[],
  model: string,
): Promise<Spending | null> {
  const { reviewLimitUsd } = spending;
  if (reviewLimitUsd === null) return spending;
  const trial = await spending.reserve(MIN_USD, model);
  if (trial.kind === "refused") return null;
  await trial.settle(0);
  const limitUsd = reviewLimitUsd * SHARE;
  // Those of a crashed process count.
  let spentUsd = entries.reduce(
    (sum, entry) => sum + (entry.kind === "outcome" && entry.step === "verify" ? (entry.costUsd ?? 0) : 0),
    0,
  );
  return {
    ...spending,
    async reserve(usd, of) {
      if (spentUsd + usd > limitUsd) return { kind: "refused", budget: "perReviewUsd", limitUsd, spentUsd };
      const reservation = await spending.reserve(usd, of);
      if (reservation.kind === "refused") return reservation;
      spentUsd += usd;
      return {
        ...reservation,
        async settle(actualUsd) {
          spentUsd += actualUsd - usd;
          await reservation.settle(actualUsd);
        },
      };
    },
  };
}
