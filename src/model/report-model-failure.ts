/**
 * Reports the address of a model that failed. The address is for the operator, in a log or on the command line. It is never part of an
 * outcome, because outcomes are published.
 */
import type { Model } from "./model.ts";
import { stopCode } from "./stop-code.ts";
import type { StopReason } from "./stop-reason.ts";

export type ModelFailureReport = {
  /** `provider:name`. */
  readonly model: string;
  /** Without credentials and query. */
  readonly address: string;
  readonly reason: StopReason;
};

export type ReportModelFailure = (failure: ModelFailureReport) => void;

/** Failures that a wrong address, or the server at that address, can cause. */
const ADDRESS_FAILURES: ReadonlySet<StopReason["kind"]> = new Set([
  "no-connection",
  "connection-lost",
  "provider-error",
  "http-error",
]);

/** Reports each reason once, however often the model runs. */
export function reportModelFailure(model: Model, address: string, report: ReportModelFailure): Model {
  const reported = new Set<string>();
  return {
    ...model,
    async run(task, signal) {
      const outcome = await model.run(task, signal);
      const { kind, stopReason: reason } = outcome;
      if (kind === "failed" && ADDRESS_FAILURES.has(reason.kind) && !reported.has(stopCode(reason))) {
        reported.add(stopCode(reason));
        report({ model: model.id, address, reason });
      }
      return outcome;
    },
  } satisfies Model;
}
