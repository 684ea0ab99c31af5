/** One stable word for a stop reason, for figures and logs: "deadline", "http-401", "over-budget". */
import type { StopReason } from "./stop-reason.ts";

export function stopCode(reason: StopReason): string {
  return reason.kind === "http-error" ? `http-${reason.status}` : reason.kind;
}
