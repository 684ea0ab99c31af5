/** Runs one model over one part of the change, with a prompt, a budget, tools and a time limit. The model records findings in the notebook. */
import type { ModelEvent, ModelLimits, ModelTask, Outcome } from "../../model/model.ts";
import type { ReviewPass } from "../../review/analysis/analysis.ts";
import type { FilePart } from "../../review/change/scope.ts";
import { buildPrompt } from "../../review/prompt/build-prompt.ts";
import type { Prompt } from "../../review/prompt/prompt.ts";
import type { PromptSize } from "../../review/publication/publication.ts";
import { createShown, type Shown } from "../../tools/shown.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import { REVIEW_TOOLS } from "../../tools/tools.ts";
import { LONG_OUTPUT_TOKENS, LONG_STALL_MS } from "../deep-review/long-thinking.ts";
import type { RunningMeter } from "../spending/meter.ts";
import { brokenOffRun, openPaidRun, unaffordableRun } from "../spending/open-paid-run.ts";
import { createReminder, judgeEnd } from "./end-of-review.ts";
import type { Rung } from "./fallback-plan.ts";
import type { ModelReviewTask } from "./review-with-models.ts";

/** When the model is asked to record its findings and finish: a fifth of its time remains. */
const WIND_DOWN_AT = 0.8;

/** The stall limit within an answer. Models that think for long still send events. */
const STALL_MS = 120_000;

/** How long an overloaded provider is retried before the next model is used. */
const OVERLOAD_MS = 60_000;

/** The largest share of a short time limit, so that enough time is left for the next model. */
const OVERLOAD_SHARE = 0.25;

/** A model that needs more turns is going in circles. */
const MAX_TURNS = { full: 80, reduced: 40, lean: 40 } as const;

/** Output tokens for thinking and recording, the same for every step. Unused tokens cost nothing. */
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
  /** Hunks of other files; left out if there are none. */
  readonly shownParts?: readonly FilePart[];
  /** The sections of the prompt; left out if none was sent. */
  readonly sections?: readonly PromptSize[];
};

export async function runAttempt(attempt: Attempt, task: ModelReviewTask): Promise<AttemptResult> {
  const { rung, deadlineMs } = attempt;
  const prompt = promptOf(attempt, task);
  const limits = limitsOf(rung, deadlineMs, task.context.asked !== undefined);
  const paid = await openPaidRun({
    model: rung.model.id,
    prompt,
    limits,
    spending: task.spending,
    prices: task.prepared.config.tree.root.values.prices,
    operatorPrices: task.access.money.operatorPrices,
  });
  if (paid.kind === "refused")
    return { outcome: unaffordableRun(rung.model.id, paid.stopReason), costUsd: 0, shownPaths: [] };
  const { meter } = paid;
  const progress = progressOf(attempt, task, meter);
  const shown = createShown(prompt, progress.turn);
  const { tools, strayCalls, callCount } = toolsFor(attempt, shown, task);
  try {
    const { onEvent } = progress;
    const run = { prompt, tools, strayCalls, limits, meter, onEvent, remind: createReminder() };
    const ended = judgeEnd(await runModel(rung, run, task), callCount());
    return { ...(await paid.settle(ended)), ...whatWasShown(shown), sections: sizesOf(prompt) };
  } catch (error) {
    await paid.abandon();
    throw error;
  }
}

function whatWasShown(shown: Shown): Pick<AttemptResult, "shownPaths" | "shownParts"> {
  const parts = shown.parts();
  return { shownPaths: shown.diffs(), ...(parts.length === 0 ? {} : { shownParts: parts }) };
}

function sizesOf({ sections }: Prompt): readonly PromptSize[] {
  return sections.map(({ name: section, chars, cutChars }) => ({ section, chars, cutChars }));
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

/** `shown`: the diffs that the model has seen; tools add to it. */
function toolsFor({ pass, deadlineMs }: Attempt, shown: Shown, task: ModelReviewTask) {
  const { prepared, context, guard, head, notebook, hunksToRead, deps } = task;
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
      dependencyReader: context.dependencyReader,
      code: context.codeLookup,
      guard,
      signal,
      analysis,
      notebook,
      pass: { name: pass.name, paths: new Set(pass.paths) },
      hunksToRead,
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

/** An adapter that rejects without being aborted must not lose earlier findings. */
async function runModel(
  { model }: Rung,
  task: ModelTask & { readonly meter: RunningMeter },
  { prepared, deps }: ModelReviewTask,
): Promise<Outcome> {
  const startedAt = deps.now();
  const outcome = await prepared.degradations.optional(model.id, () => model.run(task, deps.signal));
  return outcome ?? brokenOffRun(model.id, task.meter, deps.now() - startedAt);
}

function limitsOf({ step }: Rung, deadlineMs: number, isDeep: boolean): ModelLimits {
  return {
    deadlineMs,
    stallMs: Math.min(isDeep ? LONG_STALL_MS : STALL_MS, deadlineMs),
    overloadMs: Math.min(OVERLOAD_MS, deadlineMs * OVERLOAD_SHARE),
    maxTurns: MAX_TURNS[step],
    maxOutputTokens: isDeep ? LONG_OUTPUT_TOKENS : MAX_OUTPUT_TOKENS,
  };
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
