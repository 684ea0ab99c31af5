/**
 * Runs what is missing of an evaluation: several reviews at a time, each kept as soon as it is finished. Money is admitted before each
 * request, for the whole run and across its restarts.
 */
import { existsSync } from "node:fs";
import type { CaseRun } from "./case-run.ts";
import type { EvaluationCase } from "../set/evaluation-set.ts";
import { openAnswerJournal } from "./answer-journal.ts";
import { type CaseReview, type CaseReviewer, reviewCase } from "./review-case.ts";
import { journalPath, keepReview, removeJournal, type Unit } from "./run-folder.ts";

export type EvaluationProgress = {
  readonly done: number;
  readonly failed: number;
  readonly wanted: number;
  /** With the upper bounds of requests that are under way or were never answered. */
  readonly costUsd: number;
  readonly leftMs: number | null;
};

export type EvaluationRun = Pick<CaseReview, "model" | "verify" | "passes" | "config" | "salt"> & {
  readonly folder: string;
  /** In this order. */
  readonly units: readonly (Unit & { readonly set: EvaluationCase })[];
  /** Finished earlier. */
  readonly kept: readonly CaseRun[];
  readonly budgetUsd: number | null;
  readonly concurrency: number;
  readonly onProgress: (progress: EvaluationProgress) => void;
  readonly onFailure: (unit: Unit, failure: string) => void;
  /** Aborted: no further request is sent. Reviews end at their next one. */
  readonly stop: AbortSignal;
  /** Aborted: everything ends now. */
  readonly signal: AbortSignal;
};

export type EvaluationEnd = {
  readonly kind: "finished" | "budget" | "stopped";
  readonly done: number;
  readonly failed: number;
  readonly notRun: number;
  readonly costUsd: number;
  /** Of earlier processes: requests that may have been paid without an answer. */
  readonly unanswered: number;
};

/** Why a review ended without a result: nothing is wrong with it, and it's continued later. */
const STOPPED = "stopped";
const OVER_BUDGET = "over-budget";

export async function runEvaluation(run: EvaluationRun, reviewer: CaseReviewer): Promise<EvaluationEnd> {
  const { folder, units, budgetUsd, stop, signal } = run;
  const finished = new Map(
    run.kept.filter(({ failure }) => failure === null).map((each) => [keyOf(each), each]),
  );
  const missing = units.filter((unit) => !finished.has(keyOf(unit)));
  const costs = new Map<string, number>([
    ...[...finished].map(([key, { costUsd }]) => [key, costUsd ?? 0] as const),
    ...missing.map((unit) => [keyOf(unit), spentEarlier(folder, unit)] as const),
  ]);
  // A crash between a result and the end of its journal leaves the journal.
  for (const unit of finished.values()) removeJournal(folder, unit);
  const startedAt = reviewer.now();
  let [done, failed, unanswered, isOverBudget] = [finished.size, 0, 0, false];
  const costUsd = (): number => [...costs.values()].reduce((sum, usd) => sum + usd, 0);
  const report = (): void => {
    const ran = done + failed - finished.size;
    const left = missing.length - ran;
    const leftMs = ran === 0 ? null : ((reviewer.now() - startedAt) / ran) * left;
    run.onProgress({ done, failed, wanted: units.length, costUsd: costUsd(), leftMs });
  };
  const isEnding = (): boolean => stop.aborted || signal.aborted || isOverBudget;

  async function reviewUnit(unit: EvaluationRun["units"][number]): Promise<void> {
    const ending = new AbortController();
    const end = (why: string): never => {
      ending.abort(new Error(why));
      throw ending.signal.reason;
    };
    const admit = (usd: number | null): void => {
      if (stop.aborted) end(STOPPED);
      if (budgetUsd === null || usd === null) return;
      if (costUsd() + usd <= budgetUsd) return;
      isOverBudget = true;
      end(OVER_BUDGET);
    };
    try {
      const { model, verify, passes, config, salt } = run;
      const {
        run: result,
        recording,
        unanswered: lost,
      } = await reviewCase(
        {
          model,
          verify,
          passes,
          config,
          salt,
          admit,
          repeat: unit.repeat,
          set: unit.set,
          journalPath: journalPath(folder, unit),
          onCosts: (usd) => {
            costs.set(keyOf(unit), usd);
            report();
          },
          signal: AbortSignal.any([signal, ending.signal]),
        },
        reviewer,
      );
      unanswered += lost;
      keepReview(folder, result, recording);
      if (result.failure === null) done++;
      else {
        failed++;
        run.onFailure(unit, result.failure);
      }
      report();
    } catch (error) {
      if (!signal.aborted && !ending.signal.aborted) throw error;
    }
  }

  const queue = missing.values();
  async function work(): Promise<void> {
    for (const unit of queue) {
      if (isEnding()) return;
      await reviewUnit(unit);
    }
  }
  report();
  await Promise.all(Array.from({ length: run.concurrency }, work));
  const notRun = units.length - done - failed;
  const kind = notRun === 0 ? "finished" : isOverBudget ? "budget" : "stopped";
  return { kind, done, failed, notRun, costUsd: costUsd(), unanswered };
}

function keyOf({ case: id, repeat }: Unit): string {
  return `${id}\n${repeat}`;
}

/** The cost of an unfinished review so far. */
function spentEarlier(folder: string, unit: Unit): number {
  const path = journalPath(folder, unit);
  if (!existsSync(path)) return 0;
  const journal = openAnswerJournal(path, {
    admit: () => {},
    onKept: () => {},
    now: () => 0,
    onChanged: () => {},
  });
  const { usd } = journal.costs();
  journal.close();
  return usd;
}
