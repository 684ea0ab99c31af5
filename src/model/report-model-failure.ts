/**
 * Models that say where they were asked when that came to nothing. The address is for whoever runs Kodiai, in a log or on a command
 * line; it never goes into an outcome, because outcomes are published.
 */
import type { Model } from "./model.ts";
import { stopCode } from "./stop-code.ts";
import type { StopReason } from "./stop-reason.ts";

export type ModelFailureReport = {
  /** `provider:name`. */
  readonly model: string;
  /** Without credentials and without a query. */
  readonly address: string;
  readonly reason: StopReason;
};

export type ReportModelFailure = (trouble: ModelFailureReport) => void;

/** Failures that a wrong address, or the server at that address, can cause. */
const ADDRESS_FAILURES: ReadonlySet<StopReason["kind"]> = new Set([
  "no-connection",
  "connection-lost",
  "provider-error",
  "http-error",
]);

/** Each reason once, however often the model is asked. */
export function reportModelFailure(model: Model, address: string, tell: ReportModelFailure): Model {
  const reported = new Set<string>();
  return {
    id: model.id,
    async run(task, signal) {
      const outcome = await model.run(task, signal);
      const { kind, stopReason: reason } = outcome;
      if (kind === "failed" && ADDRESS_FAILURES.has(reason.kind) && !reported.has(stopCode(reason))) {
        reported.add(stopCode(reason));
        tell({ model: model.id, address, reason });
      }
      return outcome;
    },
  } satisfies Model;
}
