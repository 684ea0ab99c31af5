/** Opens the budget of one model run: reserves an amount before it, meters it, and settles it afterwards. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import { type ModelLimits, type ModelPrompt, NO_TOKENS, type Outcome } from "../../model/model.ts";
import { estimateUsd, type OperatorPrices, priceOf } from "../../model/prices.ts";
import type { Spending } from "../../model/spending.ts";
import type { StopReason } from "../../model/stop-reason.ts";
import { sizeOf } from "../../model/tokens.ts";
import { createMeter, EXPECTED_OUTPUT_TOKENS, overBudget, type RunningMeter } from "./meter.ts";

export type PaidRun = {
  readonly kind: "opened";
  readonly meter: RunningMeter;
  /** The outcome, with the shortage as its reason if the budget cut it short. Called once, at the end. */
  settle(outcome: Outcome): Promise<{ readonly outcome: Outcome; readonly costUsd: number | null }>;
  /** Settles a run without an outcome. Never rejects: an unsettled reservation counts as spent. */
  abandon(): Promise<void>;
};

export type PaidRunInput = {
  /** `provider:name`. */
  readonly model: string;
  readonly prompt: ModelPrompt;
  readonly limits: Pick<ModelLimits, "maxOutputTokens">;
  readonly spending: Spending;
  /** At least as much is reserved. */
  readonly expectedUsd?: number;
  readonly prices: RepoConfig["prices"];
  readonly operatorPrices: OperatorPrices;
};

/** The run, or the reason why the budgets don't allow it. */
export async function openPaidRun({
  model,
  prompt,
  limits,
  spending,
  expectedUsd = 0,
  prices,
  operatorPrices,
}: PaidRunInput): Promise<PaidRun | { readonly kind: "refused"; readonly stopReason: StopReason }> {
  const price = priceOf(model, prices, operatorPrices);
  if (price === null && spending.isLimited) return { kind: "refused", stopReason: { kind: "price-unknown" } };
  const inputSize = sizeOf(prompt.system) + sizeOf(prompt.user) + sizeOf(prompt.question ?? "");
  // The cost of a typical answer. The meter reserves more for a longer one, as far as the budgets allow.
  const outputTokens = Math.min(limits.maxOutputTokens, EXPECTED_OUTPUT_TOKENS);
  const reservedUsd =
    price === null ? 0 : Math.max(expectedUsd, estimateUsd({ inputSize, outputTokens, price }));
  const reservation = await spending.reserve(reservedUsd, model);
  if (reservation.kind === "refused")
    return { kind: "refused", stopReason: overBudget(reservation, reservedUsd) };
  const meter = createMeter({ reservation, reservedUsd, price });
  return {
    kind: "opened",
    meter,
    async settle(outcome) {
      const costUsd = meter.spentUsd();
      // A run that was cut off may have an uncounted call.
      const isCutOff =
        outcome.kind === "timed-out" ||
        outcome.kind === "stopped" ||
        outcome.stopReason.kind === "internal-error";
      await reservation.settle(isCutOff ? meter.committedUsd() : (costUsd ?? 0));
      return { outcome: asShort(outcome, meter), costUsd };
    },
    // The run was aborted, but its cost is known.
    abandon: () => reservation.settle(meter.committedUsd()).catch(() => {}),
  };
}

/** An answer that the budget cut short isn't the model's failure. */
function asShort(outcome: Outcome, meter: RunningMeter): Outcome {
  const shortage = meter.shortage();
  const isShort = outcome.kind === "stopped-by-budget" || outcome.stopReason.kind === "output-limit";
  if (shortage === null || !isShort) return outcome;
  return { ...outcome, kind: "stopped-by-budget", stopReason: shortage };
}

/** The outcome of a run that the budgets didn't allow. */
export function unaffordableRun(model: string, stopReason: StopReason): Outcome {
  return { kind: "stopped-by-budget", stopReason, model, turns: 0, tokens: NO_TOKENS, ms: 0 };
}

/** The outcome of an adapter that broke its contract. The number of answers is unknown. It only matters whether there was one. */
export function brokenOffRun(model: string, meter: RunningMeter, ms: number): Outcome {
  const tokens = meter.tokens();
  const turns = tokens.input + tokens.output > 0 ? 1 : 0;
  return { kind: "failed", stopReason: { kind: "internal-error" }, model, turns, tokens, ms };
}
