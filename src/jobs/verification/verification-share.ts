/** The part of a review's budget that is kept for second readings. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Spending } from "../../model/spending.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";

/** The reviewer that finds things needs the larger part. */
const SHARE = 0.3;

/** With less, not even one short conversation is certain. */
const MIN_USD = 0.05;

/** The budget of the reviewing models: without the share that is kept. */
export function withoutShare(spending: Spending, { verify }: Pick<RepoConfig["review"], "verify">): Spending {
  const { reviewLimitUsd } = spending;
  if (verify === "off" || reviewLimitUsd === null) return spending;
  return { ...spending, reserve: (usd, model) => spending.reserve(usd, model, reviewLimitUsd * (1 - SHARE)) };
}

/** The share for second readings, less what those of a crashed process have cost. Null when too little of the budget is left. */
export async function openShare(
  spending: Spending,
  entries: readonly NumberedEntry[],
  model: string,
): Promise<Spending | null> {
  const { reviewLimitUsd } = spending;
  const usedUsd = entries.reduce(
    (sum, entry) => sum + (entry.kind === "outcome" && entry.step === "verify" ? (entry.costUsd ?? 0) : 0),
    0,
  );
  const withinUsd =
    reviewLimitUsd === null ? undefined : (await spending.spentUsd()) + reviewLimitUsd * SHARE - usedUsd;
  const trial = await spending.reserve(reviewLimitUsd === null ? 0 : MIN_USD, model, withinUsd);
  if (trial.kind === "refused") return null;
  await trial.settle(0);
  return { ...spending, reserve: (usd, of) => spending.reserve(usd, of, withinUsd) };
}
