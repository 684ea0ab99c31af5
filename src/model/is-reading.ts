/** Whether an attempt with this step reads the change to find something; the others rank hunks, check findings, or are the rules. */
import type { PassStep } from "./outcome.ts";

export function isReading(step: PassStep): boolean {
  return step !== "floor" && step !== "triage" && step !== "verify";
}
