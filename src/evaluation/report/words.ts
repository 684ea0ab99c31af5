/** Figures of an evaluation in words. */
import type { Estimate } from "../score/score.ts";

export function percentOf(share: number | null): string {
  return share === null ? "–" : `${(share * 100).toFixed(1)} %`;
}

/** "61.5 % (48.0 to 73.1)". */
export function estimateOf({ value, low, high }: Estimate): string {
  if (value === null) return "–";
  return low === null || high === null
    ? percentOf(value)
    : `${percentOf(value)} (${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)})`;
}

/** Of figures that are no shares. */
export function plainNumber(value: number | null): string {
  return value === null ? "–" : value.toFixed(2);
}

export function numberWithInterval({ value, low, high }: Estimate): string {
  return low === null
    ? plainNumber(value)
    : `${plainNumber(value)} (${plainNumber(low)} to ${plainNumber(high)})`;
}

export function secondsOf(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
