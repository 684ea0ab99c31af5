/**
 * Models that say where they were asked when that came to nothing. The address is for whoever runs Kodiai, in a log or on a command
 * line; it never goes into an outcome, because outcomes are published.
 */
import type { Model } from "./model.ts";

export type ModelFailureReport = {
  /** `provider:name`. */
  readonly model: string;
  /** Without credentials and without a query. */
  readonly address: string;
  /** The stop reason: a few fixed words. */
  readonly reason: string;
};

export type ReportModelFailure = (trouble: ModelFailureReport) => void;

/** What can come of a wrong address, or of what stands there. */
const OF_ADDRESS = /^(?:no connection|connection lost|provider error|HTTP [45]\d\d)$/;

/** Each reason once, however often the model is asked. */
export function reportModelFailure(model: Model, address: string, tell: ReportModelFailure): Model {
  const told = new Set<string>();
  return {
    id: model.id,
    async run(task, signal) {
      const outcome = await model.run(task, signal);
      const { kind, stopReason: reason } = outcome;
      if (kind === "failed" && OF_ADDRESS.test(reason) && !told.has(reason)) {
        told.add(reason);
        tell({ model: model.id, address, reason });
      }
      return outcome;
    },
  } satisfies Model;
}
