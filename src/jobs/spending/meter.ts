/**
 * Counts what a model takes while it runs, and lets it go on only as far as money has been set aside. The most a call can
 * cost is set aside before it is made, so that a ceiling is never passed by what is already under way.
 */
import { type Meter, NO_TOKENS, type Tokens } from "../../model/model.ts";
import { atMostUsd, costUsd, type Price } from "../../model/prices.ts";
import { addTokens } from "../../model/tokens.ts";
import type { Refusal, Reservation } from "../../model/spending.ts";

export type RunningMeter = Meter & {
  /** So far; null when the price is not known. */
  spentUsd(): number | null;
  /** The same with the most that a call can cost which was admitted and of which nothing was heard; 0 without a price. */
  committedUsd(): number;
  tokens(): Tokens;
  /** Why `admit` said no; null when it never did. */
  refusal(): Refusal | null;
};

export type MeterOptions = {
  readonly reservation: Reservation;
  /** What is set aside at the beginning. */
  readonly reservedUsd: number;
  /** Null: not known. Then everything is admitted; who has a ceiling does not let such a model run. */
  readonly price: Price | null;
};

/** For one model that makes one call after the other. */
export function createMeter({ reservation, reservedUsd, price }: MeterOptions): RunningMeter {
  let reserved = reservedUsd;
  let spent = 0;
  let underWay = 0;
  let tokens = NO_TOKENS;
  let refusal: Refusal | null = null;
  return {
    async admit(atMost) {
      if (price === null) return true;
      const callUsd = atMostUsd(atMost, price);
      const missing = spent + callUsd - reserved;
      refusal = missing > 0 ? await reservation.extend(missing) : null;
      if (refusal !== null) return false;
      reserved = Math.max(reserved, spent + callUsd);
      underWay = callUsd;
      return true;
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
    refusal: () => refusal,
  } satisfies RunningMeter;
}
