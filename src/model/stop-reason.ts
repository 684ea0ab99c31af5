/**
 * Why a model run ended. Stop reasons are plain data: notebooks and recordings store them as JSON, and code compares their `kind`.
 * `describeStopReason` in `review/publication` puts them into words. Import the types with `import type`: a schema loads zod.
 */
import * as z from "zod";
import { BUDGET_NAMES } from "./budget-names.ts";

/** Stop reasons without further data. */
export const PlainStopReason = z.enum([
  /** A tool ended the run: the model called `finish_review`. */
  "finished",
  /** The model stopped calling tools. The review is complete only if a tool ended the run. */
  "end-of-turn",
  "deadline",
  /** The provider sent nothing for too long. */
  "stalled",
  /** The user pressed Ctrl-C. */
  "interrupted",
  /** The meter admitted no further call. */
  "budget-exhausted",
  /** The spending records couldn't be read, so no call was made. */
  "budget-unavailable",
  /** A budget is set, and the price of the model is unknown. */
  "price-unknown",
  /** The provider reported an overload without an HTTP status. */
  "overloaded",
  /** The provider was never reached. */
  "no-connection",
  "connection-lost",
  "quota-exceeded",
  /** The provider sent an error without an HTTP status. */
  "provider-error",
  /** The process of the Claude Agent SDK exited. */
  "process-exited",
  "refusal",
  "turn-limit",
  "output-limit",
  "context-overflow",
  "empty-answer",
  "no-tool-calls",
  /** The model stopped without `finish_review`, even after a reminder. */
  "not-finished",
  "malformed-tool-calls",
  "repeated-tool-calls",
  "too-many-tool-calls",
  /** An adapter broke its contract. */
  "internal-error",
  /** A replay ran the model more often than the recording did. */
  "not-recorded",
]);
export type PlainStopReason = z.infer<typeof PlainStopReason>;

/** A call that didn't fit into a budget. */
const OverBudget = z
  .object({
    kind: z.literal("over-budget"),
    budget: z.enum(BUDGET_NAMES),
    limitUsd: z.number(),
    /** Spent or reserved. */
    spentUsd: z.number(),
    /** For the call. */
    neededUsd: z.number(),
  })
  .readonly();
export type OverBudget = z.infer<typeof OverBudget>;

/** Without a price, tokens are limited instead of dollars. */
const OverTokens = z.object({ kind: z.literal("over-tokens"), maxTokens: z.number() }).readonly();
export type OverTokens = z.infer<typeof OverTokens>;

export const StopReason = z.discriminatedUnion("kind", [
  z.object({ kind: PlainStopReason }).readonly(),
  z.object({ kind: z.literal("http-error"), status: z.int() }).readonly(),
  OverBudget,
  OverTokens,
  /** Stored by another version of Kodiai, which had words for it. */
  z.object({ kind: z.literal("other"), text: z.string() }).readonly(),
]);
export type StopReason = z.infer<typeof StopReason>;
