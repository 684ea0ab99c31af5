/**
 * Lets `review.triageModel` rank the hunks of a very large change before models review it. Its money comes from the budgets of the review.
 * Without a usable ranking every hunk is read closely, and the review says why.
 */
import { messageOf } from "../../base/errors.ts";
import {
  applyRanking,
  type HunkTriage,
  isForTriage,
  mustBeRead,
  NO_TRIAGE,
  type OfferedHunk,
} from "../../review/analysis/hunk-triage.ts";
import type { ReviewPass } from "../../review/analysis/analysis.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import { buildTriagePrompt, type TriagePrompt } from "../../review/prompt/triage-prompt.ts";
import { describeStopReason } from "../../review/publication/compose/describe-stop-reason.ts";
import type { Model } from "../../model/model.ts";
import { joinParts } from "../../tools/marked-hunks.ts";
import { rankHunks, type TriageContext } from "../../tools/rank-hunks.ts";
import { createToolbox, type ToolboxWords } from "../../tools/toolbox.ts";
import { runPaidModel } from "../model-run/run-paid-model.ts";
import { WIND_DOWN_AT, workingLimits } from "../model-run/working-limits.ts";
import type { ModelReviewTask } from "./model-review-task.ts";

/** The name of the run in the notebook, where no part of a change has it, and of a degradation without a ranking. */
const TRIAGE = "triage";

/** One answer. A model that needs longer would cost the review more time than it saves. */
const MAX_MS = 120_000;

/** The largest share of a pass's time. */
const MAX_TIME_SHARE = 0.2;

/** One answer, and two corrections of it. */
const MAX_TURNS = 3;

/** Thousands of numbers, and the thinking before them. */
const MAX_OUTPUT_TOKENS = 16_000;

const REMINDER = "Nothing is ranked yet. Call rank_hunks with the numbers to skim and to skip.";

const WORDS: ToolboxWords = {
  work: "triage",
  kept: "Every hunk is read closely.",
  hurry: "Time is nearly up. Call rank_hunks now.",
};

export async function triageHunks(passes: readonly ReviewPass[], task: ModelReviewTask): Promise<HunkTriage> {
  const { prepared, access, notebook, guard, hunksToRead } = task;
  const { triageModel } = prepared.config.tree.root.values.review;
  if (triageModel === undefined || !isForTriage(prepared.analysis.scale)) return NO_TRIAGE;
  const files = filesToRank(passes, task);
  if (files.length === 0) return NO_TRIAGE;
  const seconds = Math.min(...passes.map((pass) => pass.seconds));
  if (!notebook.entries().some(({ pass }) => pass === TRIAGE)) {
    const named = await access.choice.loadNamed(triageModel, { effort: "low" });
    if (named.kind === "unavailable") {
      prepared.degradations.note(TRIAGE, `${named.problem}; every hunk is read closely`);
      return NO_TRIAGE;
    }
    const prompt = buildTriagePrompt({ change: prepared.change, files, hunksToRead, guard });
    await runTriage({ model: named.model, prompt, deadlineMs: deadlineOf(seconds) }, task);
  }
  return readTriage(files, task);
}

function deadlineOf(seconds: number): number {
  return Math.min(MAX_MS, seconds * 1_000 * MAX_TIME_SHARE);
}

/** By path, so that similar hunks are next to each other. Files that must be read aren't even shown to the model. */
function filesToRank(
  passes: readonly ReviewPass[],
  { prepared, evidence, context }: ModelReviewTask,
): readonly ChangedFile[] {
  const { change, analysis } = prepared;
  const inPasses = new Set(passes.flatMap(({ paths }) => paths));
  const reported = new Set([...evidence, ...context.earlier.toCheckAgain].map(({ path }) => path));
  return change.files.filter((file) => {
    const facts = analysis.byPath.get(file.path);
    return facts !== undefined && inPasses.has(file.path) && !mustBeRead(file, facts, reported);
  });
}

type TriageRun = { readonly model: Model; readonly prompt: TriagePrompt; readonly deadlineMs: number };

async function runTriage({ model, prompt, deadlineMs }: TriageRun, task: ModelReviewTask): Promise<void> {
  const { prepared, spending, access, notebook, deps } = task;
  const { now, signal } = deps;
  const { tools, strayCalls } = createToolbox([rankHunks], contextOf(prompt.offered, task), {
    now,
    windDownAtMs: now() + deadlineMs * WIND_DOWN_AT,
    words: WORDS,
  });
  let turn = 0;
  let isReminded = false;
  const { outcome, costUsd } = await runPaidModel(
    {
      model,
      task: {
        prompt: { system: prompt.system, user: prompt.user },
        tools,
        strayCalls,
        limits: {
          ...workingLimits({ deadlineMs, maxTurns: MAX_TURNS, isDeep: false }),
          maxOutputTokens: MAX_OUTPUT_TOKENS,
        },
        onEvent(event, spentUsd) {
          if (event.kind === "turn") ({ turn } = event);
          const tool = event.kind === "tool" ? event.name : null;
          deps.onProgress({
            kind: "model",
            pass: TRIAGE,
            model: model.id,
            turn,
            tool,
            costUsd: spentUsd,
          });
        },
        remind() {
          const text = isReminded ? null : REMINDER;
          isReminded = true;
          return text;
        },
      },
      spending,
      prices: prepared.config.tree.root.values.prices,
      operatorPrices: access.money.operatorPrices,
    },
    { now, signal, onBroken: (error) => prepared.degradations.note(model.id, messageOf(error)) },
  );
  const files = new Set(prompt.offered.map(({ path }) => path)).size;
  await notebook.append({
    kind: "outcome",
    pass: TRIAGE,
    step: "triage",
    outcome,
    costUsd,
    files,
    shownPaths: [],
    isLast: true,
  });
}

/** The model gets no tool that reads: it ranks what it is shown. */
function contextOf(offered: readonly OfferedHunk[], task: ModelReviewTask): TriageContext {
  const { prepared, context, guard, head, notebook, hunksToRead, deps } = task;
  const { change } = prepared;
  return {
    change,
    repository: deps.repository,
    head,
    base: change.base,
    reader: deps.reader,
    readChecks: null,
    code: context.sources.codeLookup,
    guard,
    signal: deps.signal,
    async keepRanking(ranking) {
      const { skip, skim } = applyRanking(offered, ranking, hunksToRead);
      await notebook.append({ kind: "triage", pass: TRIAGE, skip, skim });
    },
  };
}

/** The ranking in the notebook, of this process or an earlier one. Only files that could be ranked count. */
function readTriage(files: readonly ChangedFile[], { notebook, prepared }: ModelReviewTask): HunkTriage {
  const entries = notebook.entries().filter(({ pass }) => pass === TRIAGE);
  const ranked = entries.find((entry) => entry.kind === "triage");
  if (ranked === undefined) {
    for (const entry of entries)
      if (entry.kind === "outcome") {
        const { model, stopReason } = entry.outcome;
        const why = `${model} ranked nothing (${describeStopReason(stopReason)})`;
        prepared.degradations.note(TRIAGE, `${why}; every hunk is read closely`);
      }
    return NO_TRIAGE;
  }
  const paths = new Set(files.map(({ path }) => path));
  return {
    skipped: new Set(ranked.skip.filter((path) => paths.has(path))),
    skimmed: joinParts(ranked.skim.filter(({ path }) => paths.has(path))),
  };
}
