/** What became of a model's run, as counts and fixed words. Import the types with `import type`: a schema loads zod. */
import * as z from "zod";
import { StopReason } from "./stop-reason.ts";

const count = z.int().min(0);

export const OutcomeKind = z.enum([
  "completed",
  /** The deadline came, or the provider fell silent. */
  "timed-out",
  "stopped-by-budget",
  /** The provider has no room now: 429, 529, 503. */
  "overloaded",
  /** The model or the provider's filter would not do it. */
  "refused",
  "failed",
  /** Whoever waited for it did not want to wait any longer, and takes what there is. No adapter says it. */
  "stopped",
]);
export type OutcomeKind = z.infer<typeof OutcomeKind>;

/** How much of the usual a model was given: all, a lean prompt, the riskiest half, or nothing because the floor reviews alone. */
export const PassStep = z.enum(["full", "lean", "reduced", "floor"]);
export type PassStep = z.infer<typeof PassStep>;

export const Tokens = z
  .object({
    /** All that went in, cached or not. */
    input: z.number(),
    /** The part of `input` that was read from a cache. */
    cachedInput: z.number(),
    /** The part of `input` that was written to a cache, where that costs more than other input; left out for none. */
    cacheWriteInput: z.number().exactOptional(),
    /** Thinking included. */
    output: z.number(),
  })
  .readonly();
export type Tokens = z.infer<typeof Tokens>;

/** How a run ended, and why. */
const ending = { kind: OutcomeKind, stopReason: StopReason };
export const Ending = z.object(ending).readonly();
export type Ending = z.infer<typeof Ending>;

export const Outcome = z
  .object({
    ...ending,
    /** As requested: `provider:name`. */
    model: z.string(),
    /** Calls to the provider that were answered, wholly or in part. */
    turns: count,
    /** Estimated where the provider says nothing. */
    tokens: Tokens,
    ms: z.number(),
  })
  .readonly();
export type Outcome = z.infer<typeof Outcome>;
