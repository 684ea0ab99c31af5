/** Runs a model within the budgets: an amount is reserved before the run, metered during it, and settled however it ends. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Model, ModelEvent, ModelTask, Outcome } from "../../model/model.ts";
import type { Spending } from "../../model/spending.ts";
import type { ModelMoney } from "../model-review/model-access.ts";
import { brokenOffRun, openPaidRun, unaffordableRun } from "../spending/open-paid-run.ts";

/** A task without its meter. */
export type PaidTask = Omit<ModelTask, "meter" | "onEvent"> & {
  /** `spentUsd`: so far; null if the price is unknown. */
  readonly onEvent: (event: ModelEvent, spentUsd: number | null) => void;
};

export type PaidModelRun = {
  readonly model: Model;
  readonly task: PaidTask;
  readonly spending: Spending;
  /** The probable cost, known from an earlier run. The run starts only if the budgets cover it. Omitted: the cost of one call. */
  readonly expectedUsd?: number;
  readonly prices: RepoConfig["prices"];
  readonly operatorPrices: ModelMoney["operatorPrices"];
};

export type PaidRunDeps = {
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** An adapter rejected without being aborted. The run counts as broken off. */
  readonly onBroken?: (error: unknown) => void;
};

export type PaidResult = {
  readonly outcome: Outcome;
  /** Null if the price of the model is unknown. */
  readonly costUsd: number | null;
  /** False: the budgets didn't allow the run, so no prompt was sent. */
  readonly isSent: boolean;
};

/** Rejects if `signal` is aborted, or if the spending can't be recorded. */
export async function runPaidModel(run: PaidModelRun, deps: PaidRunDeps): Promise<PaidResult> {
  const { model, task, ...money } = run;
  const { prompt, limits } = task;
  const paid = await openPaidRun({ model: model.id, prompt, limits, ...money });
  if (paid.kind === "refused")
    return { outcome: unaffordableRun(model.id, paid.stopReason), costUsd: 0, isSent: false };
  const { meter } = paid;
  const startedAt = deps.now();
  try {
    const metered: ModelTask = {
      ...task,
      meter,
      onEvent: (event) => task.onEvent(event, meter.spentUsd()),
    };
    const outcome = await model.run(metered, deps.signal).catch((error: unknown) => {
      if (deps.signal.aborted) throw error;
      deps.onBroken?.(error);
      return brokenOffRun(model.id, meter, Math.round(deps.now() - startedAt));
    });
    return { ...(await paid.settle(outcome)), isSent: true };
  } catch (error) {
    await paid.abandon();
    throw error;
  }
}
