/**
 * Counts the cost of a running model and admits calls only within the reservation. The most a call can cost is reserved before the call,
 * so that calls in flight never exceed a budget. If a budget doesn't cover the longest answer, the call gets fewer output tokens, down to
 * those of a typical answer.
 */
import { type Meter, NO_TOKENS, type Tokens } from "../../model/model.ts";
import { atMostUsd, costUsd, outputFor, type Price } from "../../model/prices.ts";
import { addTokens } from "../../model/tokens.ts";
import type { Refusal, Reservation } from "../../model/spending.ts";
import type { OverBudget, OverTokens } from "../../model/stop-reason.ts";

/** Enough for a typical answer, thinking included: most have a few hundred tokens. With fewer, a call isn't worth its cost. */
export const EXPECTED_OUTPUT_TOKENS = 4_000;

/**
 * Claude uses up to this many times the estimated input tokens (see `tokens.ts`). Usually the reserve for a long answer covers that; a call
 * with a shorter answer reserves this much more for its input.
 */
const INPUT_SLACK = 1.35;

/** Each try may fail at another budget, or lose a race against another review. There are five budgets. */
const MAX_TRIES = 6;

/** Without a price no budget in dollars applies. These tokens cost about USD 2 with a small model, more than a normal review needs. */
export const MAX_UNPRICED_TOKENS = 5_000_000;

/** Why no further call was admitted, or only one with a shorter answer. */
export type Shortage = OverBudget | OverTokens;

export function overBudget({ budget, limitUsd, spentUsd }: Refusal, neededUsd: number): OverBudget {
  return { kind: "over-budget", budget, limitUsd, spentUsd, neededUsd };
}

export type RunningMeter = Meter & {
  /** So far; null when the price is unknown. */
  spentUsd(): number | null;
  /** The same plus the most that an admitted, uncounted call can cost; 0 without a price. */
  committedUsd(): number;
  tokens(): Tokens;
  /** Of the last requested call; null when it got all output tokens it could use. */
  shortage(): Shortage | null;
};

export type MeterOptions = {
  readonly reservation: Reservation;
  /** The amount reserved at the start. */
  readonly reservedUsd: number;
  /** Null: unknown. Then tokens are limited. Such a model doesn't run where a budget is set. */
  readonly price: Price | null;
};

/** For one model that makes its calls one at a time. */
export function createMeter({ reservation, reservedUsd, price }: MeterOptions): RunningMeter {
  let reserved = reservedUsd;
  let spent = 0;
  let underWay = 0;
  let tokens = NO_TOKENS;
  let shortage: Shortage | null = null;

  async function admitPriced(atMost: CallSize, rates: Price): Promise<number> {
    const least = Math.min(atMost.outputTokens, EXPECTED_OUTPUT_TOKENS);
    const neededUsd = atMostUsd({ ...atMost, outputTokens: least }, rates);
    let call = atMost;
    for (let tries = 0; tries < MAX_TRIES && call.outputTokens >= least; tries++) {
      const callUsd = atMostUsd(call, rates);
      const missing = spent + callUsd - reserved;
      const refusal = missing > 0 ? await reservation.extend(missing) : null;
      if (refusal === null) {
        reserved = Math.max(reserved, spent + callUsd);
        underWay = callUsd;
        return call.outputTokens;
      }
      shortage = overBudget(refusal, neededUsd);
      const room = reserved - spent + refusal.limitUsd - refusal.spentUsd;
      const inputTokens = Math.ceil(atMost.inputTokens * INPUT_SLACK);
      call = { inputTokens, outputTokens: Math.min(call.outputTokens, outputFor(room, inputTokens, rates)) };
    }
    return 0;
  }

  function admitUnpriced({ inputTokens, outputTokens }: CallSize): number {
    if (tokens.input + tokens.output + inputTokens <= MAX_UNPRICED_TOKENS) return outputTokens;
    shortage = { kind: "over-tokens", maxTokens: MAX_UNPRICED_TOKENS };
    return 0;
  }

  return {
    async admit(atMost) {
      shortage = null;
      return price === null ? admitUnpriced(atMost) : admitPriced(atMost, price);
    },
    add(more) {
      tokens = addTokens(tokens, more);
      // Per call, because the price of a token depends on the size of its call.
      if (price !== null) spent += costUsd(more, price);
      underWay = 0;
    },
    spentUsd: () => (price === null ? null : spent),
    committedUsd: () => spent + underWay,
    tokens: () => tokens,
    shortage: () => shortage,
  } satisfies RunningMeter;
}

type CallSize = Parameters<Meter["admit"]>[0];
