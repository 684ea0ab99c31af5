/** What models may cost: an amount is set aside before a call is made and settled afterwards; what nobody settles is spent. */
import * as z from "zod";

export const Refusal = z
  .object({
    kind: z.literal("refused"),
    /** Key of the budget that would be exceeded, such as `budget.perReviewUsd`. */
    budget: z.string(),
    limitUsd: z.number(),
    spentUsd: z.number(),
  })
  .readonly();
export type Refusal = z.infer<typeof Refusal>;

export type Reservation = {
  readonly kind: "reserved";
  /** Sets more aside; null, or why not. */
  extend(usd: number): Promise<Refusal | null>;
  /** What it came to. Called once; without it all that was set aside counts as spent. */
  settle(usd: number): Promise<void>;
};

export type Spending = {
  /** True when somebody has set a budget: a model whose price is not known may then not be used. Defaults are not set by anybody. */
  readonly isLimited: boolean;
  reserve(usd: number, model: string): Promise<Reservation | Refusal>;
  /** For this review so far, settled or set aside: also by earlier attempts at it, and by those that died. */
  spentUsd(): Promise<number>;
};
