/** One model over one part of the change: prompt, money, tools, time. What it finds goes into the notebook as it works. */
import {
  type ModelEvent,
  type ModelLimits,
  type ModelTask,
  NO_TOKENS,
  type Outcome,
} from "../../model/model.ts";
import { estimateUsd, priceOf } from "../../model/prices.ts";
import type { Reservation } from "../../model/spending.ts";
import type { StopReason } from "../../model/stop-reason.ts";
import { sizeOf } from "../../model/tokens.ts";
import type { ReviewPass } from "../../review/analysis/analysis.ts";
import { buildPrompt } from "../../review/prompt/build-prompt.ts";
import type { Prompt } from "../../review/prompt/prompt.ts";
import type { LeftOut } from "../../review/publication/publication.ts";
import { createShown, type Shown } from "../../tools/shown.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import { REVIEW_TOOLS } from "../../tools/tools.ts";
import { createMeter, EXPECTED_OUTPUT_TOKENS, overBudget, type RunningMeter } from "../spending/meter.ts";
import { createReminder, judgeEnd } from "./end-of-review.ts";
import type { Rung } from "./fallback-plan.ts";
import type { ModelReviewTask } from "./review-with-models.ts";

/** When a model is told to record what it has and to finish: a fifth of its time is left for it. */
const WIND_DOWN_AT = 0.8;

/** Silence in mid-answer; models that think long still send signs of life. */
const STALL_MS = 120_000;

/** An overloaded provider is asked again for this long; then the next model is. */
const OVERLOAD_MS = 60_000;

/** Of a short time no more than this, so that enough is left for the next one. */
const OVERLOAD_SHARE = 0.25;

/** A model that is still busy then goes in circles. */
const MAX_TURNS = { full: 80, reduced: 40, lean: 40 } as const;

/** Room to think and to record, the same for every step: a short prompt needs no less. What is not used costs nothing. */
const MAX_OUTPUT_TOKENS = 32_000;

export type Attempt = {
  readonly rung: Rung;
  readonly pass: ReviewPass;
  readonly deadlineMs: number;
};

export type AttemptResult = {
  readonly outcome: Outcome;
  readonly costUsd: number | null;
  readonly shownPaths: readonly string[];
  /** What the prompt had no room for; left out for nothing. */
  readonly leftOut?: readonly LeftOut[];
};

export async function runAttempt(attempt: Attempt, task: ModelReviewTask): Promise<AttemptResult> {
  const { rung, deadlineMs } = attempt;
  const { prices } = task.prepared.config.tree.root.values;
  const prompt = promptOf(attempt, task);
  const limits = limitsOf(rung, deadlineMs);
  const price = priceOf(rung.model.id, prices, task.access.money.operatorPrices);
  if (price === null && task.spending.isLimited) return unaffordable(rung, { kind: "price-unknown" });
  const inputSize = sizeOf(prompt.system) + sizeOf(prompt.user);
  // What an answer usually needs; for a longer one the meter sets more aside, as far as the ceilings allow it.
  const outputTokens = Math.min(limits.maxOutputTokens, EXPECTED_OUTPUT_TOKENS);
  const reservedUsd = price === null ? 0 : estimateUsd({ inputSize, outputTokens, price });
  const reservation = await task.spending.reserve(reservedUsd, rung.model.id);
  if (reservation.kind === "refused") return unaffordable(rung, overBudget(reservation, reservedUsd));
  const meter = createMeter({ reservation, reservedUsd, price });
  const progress = progressOf(attempt, task, meter);
  const shown = createShown(prompt.shownPaths, progress.turn);
  const { tools, strayCalls, callCount } = toolsFor(attempt, shown, task);
  try {
    const { onEvent } = progress;
    const run = { prompt, tools, strayCalls, limits, meter, onEvent, remind: createReminder() };
    const ended = judgeEnd(await runModel(rung, run, task), callCount());
    return { ...(await settle(ended, meter, reservation)), shownPaths: shown.diffs(), ...leftOutOf(prompt) };
  } catch (error) {
    // Nobody wants the answer any more, and what it came to is known all the same. If that cannot be said either, all that
    // was set aside counts as spent.
    await reservation.settle(meter.committedUsd()).catch(() => {});
    throw error;
  }
}

function leftOutOf({ sections }: Prompt): Pick<AttemptResult, "leftOut"> {
  const cut = sections.filter(({ cutChars }) => cutChars > 0);
  return cut.length === 0
    ? {}
    : { leftOut: cut.map(({ name: section, cutChars: chars }) => ({ section, chars })) };
}

function promptOf({ rung, pass }: Attempt, task: ModelReviewTask) {
  const { prepared, context, evidence, guard } = task;
  return buildPrompt(prepared.change, prepared.analysis, context, {
    config: prepared.config.tree.root.values,
    pass,
    size: rung.step === "lean" ? "lean" : "full",
    evidence,
    guard,
  });
}

/** `shown`: what the model has seen; tools add to it. */
function toolsFor({ pass, deadlineMs }: Attempt, shown: Shown, task: ModelReviewTask) {
  const { prepared, context, guard, head, notebook, deps } = task;
  const { change, analysis, degradations } = prepared;
  const { repository, reader, signal, now } = deps;
  let calls = 0;
  const { tools, strayCalls } = createToolbox(
    REVIEW_TOOLS,
    {
      change,
      repository,
      head,
      base: change.base,
      reader,
      readChecks: context.readChecks,
      guard,
      signal,
      analysis,
      notebook,
      pass: { name: pass.name, paths: new Set(pass.paths) },
      shown,
    },
    {
      now,
      windDownAtMs: now() + deadlineMs * WIND_DOWN_AT,
      onCall({ name, outcome }) {
        calls++;
        if (outcome === "failed") degradations.note("a tool of the model", `${name} could not answer`);
      },
    },
  );
  return { tools, strayCalls, callCount: () => calls };
}

/** An adapter that rejects although nobody stopped it must not cost what was found before. */
async function runModel(
  { model }: Rung,
  task: ModelTask & { readonly meter: RunningMeter },
  { prepared, deps }: ModelReviewTask,
): Promise<Outcome> {
  const startedAt = deps.now();
  const outcome = await prepared.degradations.optional(model.id, () => model.run(task, deps.signal));
  return outcome ?? brokenOff(model.id, task.meter, deps.now() - startedAt);
}

function limitsOf({ step }: Rung, deadlineMs: number): ModelLimits {
  return {
    deadlineMs,
    stallMs: Math.min(STALL_MS, deadlineMs),
    overloadMs: Math.min(OVERLOAD_MS, deadlineMs * OVERLOAD_SHARE),
    maxTurns: MAX_TURNS[step],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  };
}

async function settle(outcome: Outcome, meter: RunningMeter, reservation: Reservation) {
  const costUsd = meter.spentUsd();
  // Whoever was cut off may have been asked something that nobody has counted.
  const isCutOff =
    outcome.kind === "timed-out" ||
    outcome.kind === "stopped" ||
    outcome.stopReason.kind === "internal-error";
  await reservation.settle(isCutOff ? meter.committedUsd() : (costUsd ?? 0));
  return { outcome: asShort(outcome, meter), costUsd };
}

/** An answer for which there was no money to its end is no fault of the model. */
function asShort(outcome: Outcome, meter: RunningMeter): Outcome {
  const shortage = meter.shortage();
  const isShort = outcome.kind === "stopped-by-budget" || outcome.stopReason.kind === "output-limit";
  if (shortage === null || !isShort) return outcome;
  return { ...outcome, kind: "stopped-by-budget", stopReason: shortage };
}

/** How many answers it had is not known; that there was at least one is what counts. */
function brokenOff(model: string, meter: RunningMeter, ms: number): Outcome {
  const tokens = meter.tokens();
  const turns = tokens.input + tokens.output > 0 ? 1 : 0;
  return { kind: "failed", stopReason: { kind: "internal-error" }, model, turns, tokens, ms };
}

function unaffordable({ model }: Rung, stopReason: StopReason): AttemptResult {
  const outcome: Outcome = {
    kind: "stopped-by-budget",
    stopReason,
    model: model.id,
    turns: 0,
    tokens: NO_TOKENS,
    ms: 0,
  };
  return { outcome, costUsd: 0, shownPaths: [] };
}

function progressOf({ rung, pass }: Attempt, { deps }: ModelReviewTask, meter: RunningMeter) {
  let turn = 0;
  return {
    turn: () => turn,
    onEvent: (event: ModelEvent): void => {
      if (event.kind === "turn") ({ turn } = event);
      deps.onProgress({
        kind: "model",
        pass: pass.name,
        model: rung.model.id,
        turn,
        tool: event.kind === "tool" ? event.name : null,
        costUsd: meter.spentUsd(),
      });
    },
  };
}
