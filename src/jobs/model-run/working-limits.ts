/** Limits for a model that works with tools. */
import type { ModelLimits } from "../../model/model.ts";
import { LONG_OUTPUT_TOKENS, LONG_STALL_MS } from "../deep-review/long-thinking.ts";

/** When the model is asked to finish: a fifth of its time remains. */
export const WIND_DOWN_AT = 0.8;

/** The stall limit within an answer. Models that think for long still send events. */
const STALL_MS = 120_000;

/** How long an overloaded provider is retried before the next model is used. */
const OVERLOAD_MS = 60_000;

/** The largest share of a short time limit, so that enough time is left for the next model. */
const OVERLOAD_SHARE = 0.25;

/** Output tokens for thinking and recording, the same for every step. Unused tokens cost nothing. */
const MAX_OUTPUT_TOKENS = 32_000;

export type WorkingTime = {
  readonly deadlineMs: number;
  readonly maxTurns: number;
  /** The model thinks for long. */
  readonly isDeep: boolean;
};

export function workingLimits({ deadlineMs, maxTurns, isDeep }: WorkingTime): ModelLimits {
  return {
    deadlineMs,
    stallMs: Math.min(isDeep ? LONG_STALL_MS : STALL_MS, deadlineMs),
    overloadMs: Math.min(OVERLOAD_MS, deadlineMs * OVERLOAD_SHARE),
    maxTurns,
    maxOutputTokens: isDeep ? LONG_OUTPUT_TOKENS : MAX_OUTPUT_TOKENS,
  };
}
