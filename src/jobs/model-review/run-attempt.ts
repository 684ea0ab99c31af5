/** Runs one model over one part of the change, with a prompt, a budget, tools and a time limit. The model records findings in the notebook. */
import { messageOf } from "../../base/errors.ts";
import type { ModelEvent, ModelLimits, Outcome } from "../../model/model.ts";
import type { ReviewPass } from "../../review/analysis/analysis.ts";
import type { FilePart } from "../../review/change/scope.ts";
import { listEvidence } from "../../review/findings/disputable.ts";
import { buildPrompt } from "../../review/prompt/build-prompt.ts";
import type { Prompt } from "../../review/prompt/prompt.ts";
import type { PromptSize } from "../../review/publication/publication.ts";
import { createShown, type Shown } from "../../tools/shown.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import { REVIEW_TOOLS } from "../../tools/tools.ts";
import { runPaidModel } from "../model-run/run-paid-model.ts";
import { WIND_DOWN_AT, workingLimits } from "../model-run/working-limits.ts";
import { createReminder, judgeEnd } from "./end-of-review.ts";
import type { ModelCandidate } from "./fallback-plan.ts";
import type { ModelReviewTask } from "./model-review-task.ts";

/** A model that needs more turns is going in circles. */
const MAX_TURNS = { full: 80, reduced: 40, lean: 40 } as const;

export type Attempt = {
  readonly candidate: ModelCandidate;
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

export function attemptLimits(
  step: ModelCandidate["step"],
  deadlineMs: number,
  isDeep: boolean,
): ModelLimits {
  return workingLimits({ deadlineMs, maxTurns: MAX_TURNS[step], isDeep });
}

export async function runAttempt(attempt: Attempt, task: ModelReviewTask): Promise<AttemptResult> {
  const { model, step } = attempt.candidate;
  const { prepared, context, spending, access, expectedUsd = 0, deps } = task;
  const prompt = promptOf(attempt, task);
  const progress = progressOf(attempt, task);
  const shown = createShown(prompt, progress.turn);
  const { tools, strayCalls, callCount } = toolsFor(attempt, shown, task);
  const limits = attemptLimits(step, attempt.deadlineMs, context.asked !== null);
  const { outcome, costUsd, isSent } = await runPaidModel(
    {
      model,
      task: { prompt, tools, strayCalls, limits, onEvent: progress.onEvent, remind: createReminder() },
      spending,
      expectedUsd,
      prices: prepared.config.tree.root.values.prices,
      operatorPrices: access.money.operatorPrices,
    },
    // An adapter that rejects without being aborted must not lose earlier findings.
    {
      now: deps.now,
      signal: deps.signal,
      onBroken: (error) => prepared.degradations.note(model.id, messageOf(error)),
    },
  );
  if (!isSent) return { outcome, costUsd, shownPaths: [] };
  const ended = judgeEnd(outcome, callCount());
  return { outcome: ended, costUsd, ...whatWasShown(shown), sections: sizesOf(prompt) };
}

function whatWasShown(shown: Shown): Pick<AttemptResult, "shownPaths" | "shownParts"> {
  const parts = shown.parts();
  return { shownPaths: shown.diffs(), ...(parts.length === 0 ? {} : { shownParts: parts }) };
}

function sizesOf({ sections }: Prompt): readonly PromptSize[] {
  return sections.map(({ name: section, chars, cutChars }) => ({ section, chars, cutChars }));
}

function promptOf({ candidate, pass }: Attempt, task: ModelReviewTask) {
  const { prepared, context, evidence, triage, guard } = task;
  return buildPrompt(prepared.change, prepared.analysis, context, {
    config: prepared.config.tree.root.values,
    pass,
    size: candidate.step === "lean" ? "lean" : "full",
    evidence,
    triage,
    guard,
  });
}

/** `shown`: the diffs that the model has seen; tools add to it. */
function toolsFor({ pass, deadlineMs }: Attempt, shown: Shown, task: ModelReviewTask) {
  const { prepared, context, evidence, guard, head, notebook, hunksToRead, deps } = task;
  const { change, analysis, degradations } = prepared;
  const { repository, reader, signal, now } = deps;
  const { sources } = context;
  let calls = 0;
  const { tools, strayCalls } = createToolbox(
    REVIEW_TOOLS,
    {
      change,
      repository,
      head,
      base: change.base,
      reader,
      readChecks: sources.readChecks,
      dependencyReader: sources.dependencyReader,
      code: sources.codeLookup,
      guard,
      signal,
      analysis,
      notebook,
      evidence: listEvidence(evidence, pass.paths),
      toCheckAgain: context.earlier.toCheckAgain,
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

function progressOf({ candidate, pass }: Attempt, { deps }: ModelReviewTask) {
  let turn = 0;
  return {
    turn: () => turn,
    onEvent: (event: ModelEvent, costUsd: number | null): void => {
      if (event.kind === "turn") ({ turn } = event);
      deps.onProgress({
        kind: "model",
        pass: pass.name,
        model: candidate.model.id,
        turn,
        tool: event.kind === "tool" ? event.name : null,
        costUsd,
      });
    },
  };
}
