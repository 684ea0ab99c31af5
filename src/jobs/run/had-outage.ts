/** Whether an outage of a provider kept models from reviewing a part of the change. Such a review is taken up again later. Pure. */
import { isReading } from "../../model/is-reading.ts";
import type { PassReport } from "../../review/publication/publication.ts";

/** The provider asks for a later retry: a timeout or too many requests. */
const LATER_STATUSES: ReadonlySet<number> = new Set([408, 429]);

/** A refusal, a budget, a wrong key or an exhausted account would be the same an hour later, so they don't count. */
export function hadOutage(passes: readonly PassReport[]): boolean {
  const parts = Map.groupBy(
    // A later round reads what the first one has read, so a new review would find nothing left to read.
    passes.filter(({ step, round }) => isReading(step) && round === undefined),
    ({ name }) => name,
  );
  return [...parts.values()].some(
    (attempts) => attempts.at(-1)?.outcome !== "completed" && attempts.some(isOutage),
  );
}

function isOutage({ outcome, stopReason, turns }: PassReport): boolean {
  if (outcome === "overloaded") return true;
  switch (stopReason.kind) {
    case "overloaded":
    case "no-connection":
    case "connection-lost":
    case "provider-error":
      return true;
    case "http-error":
      return stopReason.status >= 500 || LATER_STATUSES.has(stopReason.status);
    // A provider that never answered. One that stopped halfway may do so for this change each time.
    case "stalled":
      return turns === 0;
    default:
      return false;
  }
}
