/**
 * Counts what a model takes while it runs, and lets it go on only as far as money has been set aside. The most a call can
 * cost is set aside before it is made, so that a ceiling is never passed by what is already under way. Where a ceiling has no room
 * for the longest answer, the call is made with a shorter one, down to what an answer usually needs.
 */
import { type Meter, NO_TOKENS, type Tokens } from "../../model/model.ts";
import { atMostUsd, costUsd, outputFor, type Price } from "../../model/prices.ts";
import { addTokens } from "../../model/tokens.ts";
import type { Refusal, Reservation } from "../../model/spending.ts";
import type { OverBudget, OverTokens } from "../../model/stop-reason.ts";

/** What an answer usually has, thinking included: most have a few hundred, few have more. With less room a call is not worth it. */
export const EXPECTED_OUTPUT_TOKENS = 4_000;

/**
 * Claude takes up to so many times what was estimated (see `tokens.ts`). Usually the room for a long answer covers that; a call with a
 * shorter one keeps so much more for its input.
 */
const INPUT_SLACK = 1.35;

/** Each time a narrower ceiling may have said no, or another review was quicker. There are five ceilings. */
const MAX_TRIES = 6;

/** Without a price no ceiling in dollars holds. This is what 2 dollars buy of a small model, and more than an honest review takes. */
export const MAX_UNPRICED_TOKENS = 5_000_000;

/** Why no further call was admitted, or only one with a shorter answer. */
export type Shortage = OverBudget | OverTokens;

export function overBudget({ budget, limitUsd, spentUsd }: Refusal, neededUsd: number): OverBudget {
  return { kind: "over-budget", budget, limitUsd, spentUsd, neededUsd };
}

export type RunningMeter = Meter & {
  /** So far; null when the price is not known. */
  spentUsd(): number | null;
  /** The same with the most that a call can cost which was admitted and of which nothing was heard; 0 without a price. */
  committedUsd(): number;
  tokens(): Tokens;
  /** Of the last call that was asked for; null when it had all the room it could use. */
  shortage(): Shortage | null;
};

export type MeterOptions = {
  readonly reservation: Reservation;
  /** What is set aside at the beginning. */
  readonly reservedUsd: number;
  /** Null: not known. Then tokens are limited; where somebody has set a ceiling such a model does not run. */
  readonly price: Price | null;
};

/** For one model that makes one call after the other. */
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
      // Call by call: what a token costs depends on the size of its call.
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
