/** Reviews a change with the built-in rules. They read every change first, need no model and are free. */
import type { PassReport } from "../../review/publication/publication.ts";
import { NO_TOKENS } from "../../model/model.ts";
import type { PreparedReview, ReviewDeps } from "../gathering/prepare-review.ts";
import { type RulesOutcome, runRules } from "./run-rules.ts";

export type RulesReview = RulesOutcome & { readonly report: PassReport };

export type RulesReviewer = (prepared: PreparedReview) => Promise<RulesReview>;

export type RulesDeps = Pick<ReviewDeps, "repository" | "reader" | "now" | "signal" | "onProgress">;

export async function reviewWithRules(prepared: PreparedReview, deps: RulesDeps): Promise<RulesReview> {
  const { change, analysis, config, listing, degradations } = prepared;
  const { now, signal } = deps;
  signal.throwIfAborted();
  const startedAt = now();
  const outcome = await runRules(
    { change, analysis, config: config.tree, listing },
    {
      ...deps,
      degradations,
      isLate: () => now() - startedAt > analysis.timeBudgetSeconds * 1_000,
      onProgress: (doneFiles, totalFiles) => deps.onProgress({ kind: "rules", doneFiles, totalFiles }),
    },
  );
  signal.throwIfAborted();
  return { ...outcome, report: reportOf(prepared, outcome, now() - startedAt) };
}

/** The rules appear in the details next to the passes of models. */
function reportOf({ change }: PreparedReview, { findings, coverage }: RulesOutcome, ms: number): PassReport {
  const isComplete = coverage.unreadPaths.size === 0;
  return {
    name: "floor",
    model: "floor",
    step: "floor",
    outcome: isComplete ? "completed" : "timed-out",
    stopReason: { kind: isComplete ? "finished" : "deadline" },
    files: change.files.length,
    turns: 0,
    tokens: NO_TOKENS,
    costUsd: 0,
    ms,
    findings: findings.length,
  };
}
