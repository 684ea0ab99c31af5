/** Spending limits for models: an amount is reserved before a call and settled after it. Unsettled reservations count as spent. */
import * as z from "zod";
import { BUDGET_NAMES } from "./budget-names.ts";

export const Refusal = z
  .object({
    kind: z.literal("refused"),
    /** The budget that would be exceeded. */
    budget: z.enum(BUDGET_NAMES),
    limitUsd: z.number(),
    /** Spent or reserved. */
    spentUsd: z.number(),
  })
  .readonly();
export type Refusal = z.infer<typeof Refusal>;

export type Reservation = {
  readonly kind: "reserved";
  /** Reserves more. Resolves with null, or with the reason for the refusal. */
  extend(usd: number): Promise<Refusal | null>;
  /** Records the actual cost. Called once; without this call the whole reservation counts as spent. */
  settle(usd: number): Promise<void>;
};

export type Spending = {
  /**
   * True when the operator, the repository or the command line has set a budget. Then a model without a known price can't be used.
   * Default budgets don't count.
   */
  readonly isLimited: boolean;
  /** The limit for one review; null for none. */
  readonly reviewLimitUsd: number | null;
  /** `withinUsd`: refused, now and when extended, if the total for this review would exceed it. Left out: the limits alone count. */
  reserve(usd: number, model: string, withinUsd?: number): Promise<Reservation | Refusal>;
  /** The total for this review, settled or reserved, including earlier attempts and attempts whose process crashed. */
  spentUsd(): Promise<number>;
};
