/**
 * Runs the later rounds of `review.passes`, within the time and the budgets of the review. A round starts only if as much is left as the
 * first one took. A round that didn't finish leaves a gap; what earlier rounds found and read isn't touched.
 */
import type { Outcome } from "../../model/model.ts";
import type { LaterPass } from "../../review/analysis/rounds.ts";
import type { CheckGap } from "../../review/findings/check-gap.ts";
import { mergeGaps } from "../../review/findings/checks.ts";
import { LENS_NAMES } from "../../review/publication/lens-names.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";
import { wasStopped } from "./cover-files.ts";
import { MIN_ATTEMPT_MS } from "./fallback-plan.ts";
import type { ModelReviewTask } from "./model-review-task.ts";
import { isOver, runPass } from "./run-pass.ts";

export async function runRounds(passes: readonly LaterPass[], task: ModelReviewTask): Promise<void> {
  for (const pass of passes) {
    const entries = task.notebook.entries();
    if (isOver(pass, task) || wasStopped(entries)) continue;
    const start = decideStart(pass, passes, entries);
    if (start.kind !== "possible") continue;
    const { seconds, expectedUsd } = start;
    await runPass({ ...pass, seconds }, { ...task, expectedUsd });
  }
}

type RoundStart =
  | { readonly kind: "possible"; readonly seconds: number; readonly expectedUsd: number }
  /** An earlier round of the same part has no end, or a bad one. */
  | { readonly kind: "unfinished" }
  | { readonly kind: "no-time" };

/** Decides from the notebook alone, so that a review that is taken up again decides the same. */
function decideStart(
  { round, seconds }: LaterPass,
  passes: readonly LaterPass[],
  entries: readonly NumberedEntry[],
): RoundStart {
  const between = passes.filter((pass) => pass.round.part === round.part && pass.round.number < round.number);
  const ends = [round.part, ...between.map(({ name }) => name)].map((name) => endOf(name, entries));
  const [first] = ends;
  if (first === undefined || !ends.every(isFinished)) return { kind: "unfinished" };
  const usedMs = ends.reduce((sum, { ms }) => sum + ms, 0);
  const leftMs = seconds * 1_000 - usedMs;
  const { last } = first;
  if (leftMs < Math.max(MIN_ATTEMPT_MS, last?.outcome.ms ?? 0)) return { kind: "no-time" };
  return { kind: "possible", seconds: leftMs / 1_000, expectedUsd: last?.costUsd ?? 0 };
}

type Ended = Extract<NumberedEntry, { kind: "outcome" }>;

type RoundEnd = { readonly last: Ended | undefined; readonly ms: number };

function endOf(name: string, entries: readonly NumberedEntry[]): RoundEnd {
  const attempts = entries.filter((entry) => entry.kind === "outcome").filter(({ pass }) => pass === name);
  return { last: attempts.at(-1), ms: attempts.reduce((sum, { outcome }) => sum + outcome.ms, 0) };
}

function isFinished({ last }: RoundEnd): boolean {
  return last !== undefined && last.outcome.kind === "completed" && last.step !== "reduced";
}

/** One gap per round and reason: a round that didn't finish proves nothing. */
export function gapsOfRounds(
  passes: readonly LaterPass[],
  entries: readonly NumberedEntry[],
): readonly CheckGap[] {
  const gaps = passes.flatMap((pass): readonly CheckGap[] => {
    const end = endOf(pass.name, entries);
    if (isFinished(end)) return [];
    const { number, lens, part } = pass.round;
    const check = `${number === 2 ? "second" : "third"} round, ${LENS_NAMES[lens]}`;
    const paths = part === "review" ? null : pass.paths;
    return [{ check, ...whyUnfinished(end, decideStart(pass, passes, entries)), paths, rules: [] }];
  });
  return mergeGaps(gaps);
}

const START_DETAILS: Readonly<Record<RoundStart["kind"], string>> = {
  unfinished: "not started, because an earlier round didn't finish",
  "no-time": "not started, because too little time was left",
  // A round that could start and has no end was never begun: the user stopped the review.
  possible: "not started, because the review was stopped",
};

function whyUnfinished({ last }: RoundEnd, { kind }: RoundStart): Pick<CheckGap, "reason" | "detail"> {
  if (last === undefined)
    return { reason: kind === "unfinished" ? "failed" : "limit", detail: START_DETAILS[kind] };
  return describeEnd(last.outcome);
}

function describeEnd({ kind, turns }: Outcome): Pick<CheckGap, "reason" | "detail"> {
  switch (kind) {
    // Only the riskiest half was read, after a timeout.
    case "completed":
    case "timed-out":
      return { reason: "limit", detail: "it ran out of time" };
    case "stopped-by-budget":
      return {
        reason: "limit",
        detail: turns === 0 ? "not started, because the budget doesn't cover it" : "the budget was reached",
      };
    case "stopped":
      return { reason: "limit", detail: "the review was stopped" };
    case "overloaded":
    case "refused":
    case "failed":
      return { reason: "failed", detail: "the model failed" };
  }
}
