/** The outcome of a model run. Import the types with `import type`: a schema loads zod. */
import * as z from "zod";
import { StopReason } from "./stop-reason.ts";

const count = z.int().min(0);

export const OutcomeKind = z.enum([
  "completed",
  /** The deadline passed, or the provider stalled. */
  "timed-out",
  "stopped-by-budget",
  /** HTTP 429, 503 or 529. */
  "overloaded",
  /** The model or the provider's filter declined. */
  "refused",
  "failed",
  /** The user pressed Ctrl-C and gets the findings so far. No adapter returns it. */
  "stopped",
]);
export type OutcomeKind = z.infer<typeof OutcomeKind>;

/**
 * The scope of an attempt: the full prompt, a lean one, or the riskiest half. `floor` is the pass of the built-in rules, `triage` the run
 * that ranked hunks, `verify` a conversation that checks findings.
 */
export const PassStep = z.enum(["full", "lean", "reduced", "floor", "triage", "verify"]);
export type PassStep = z.infer<typeof PassStep>;

export const Tokens = z
  .object({
    /** All input, cached or not. */
    input: z.number(),
    /** The part of `input` that was read from a cache. */
    cachedInput: z.number(),
    /** The part of `input` that was written to a cache, where writing costs extra; left out for none. */
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
    /** Calls that the provider answered, at least in part. */
    turns: count,
    /** Estimated where the provider reports no usage. */
    tokens: Tokens,
    ms: z.number(),
  })
  .readonly();
export type Outcome = z.infer<typeof Outcome>;
