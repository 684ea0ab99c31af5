/** The figures of one model run for the metrics and for telemetry. */
import type { Outcome } from "../../model/model.ts";
import { stopCode } from "../../model/stop-code.ts";
import type { ModelRunRow, FigureOrigin } from "../../store/repositories/telemetry.ts";
import type { ModelUse } from "../recipe.ts";
import { toMicroUsd } from "../spending/micro-usd.ts";

export type ModelRunFigures = Omit<ModelRunRow, keyof FigureOrigin>;

/** A run as its adapter reported it. */
export type ReportedModelRun = Pick<Outcome, "model" | "turns" | "tokens" | "ms" | "stopReason"> & {
  readonly pass: string;
  readonly step: string;
  readonly outcome: string;
  /** Null if the price is unknown. */
  readonly costUsd: number | null;
};

export function figuresOfRun({
  pass,
  model,
  step,
  outcome,
  turns,
  tokens,
  costUsd,
  stopReason,
  ms,
}: ReportedModelRun): ModelRunFigures {
  const { input: inputTokens, cachedInput: cachedInputTokens, output: outputTokens } = tokens;
  const costMicroUsd = costUsd === null ? null : toMicroUsd(costUsd);
  return {
    pass,
    model,
    step,
    outcome,
    turns,
    ms,
    stopReason: stopCode(stopReason),
    inputTokens,
    cachedInputTokens,
    outputTokens,
    costMicroUsd,
  };
}

export function useOfRun({
  model,
  inputTokens,
  cachedInputTokens,
  outputTokens,
  costMicroUsd,
}: ModelRunFigures): ModelUse {
  return { model, inputTokens, cachedInputTokens, outputTokens, costMicroUsd };
}
