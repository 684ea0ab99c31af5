/** Reviews a change with the built-in rules and the analysers, side by side. They read every change first, need no model and are free. */
import type { DependencyReport } from "../../ecosystems/dependency-report.ts";
import type { AnalyserReport } from "../../linters/analyser-report.ts";
import type { Analysers } from "../../linters/analysers.ts";
import type { TypeChecker } from "../../linters/type-checker.ts";
import type { Reader } from "../../reading/reader.ts";
import type { Repository } from "../../repository/repository.ts";
import type { PassReport } from "../../review/publication/publication.ts";
import type { CheckGap } from "../../review/findings/check-gap.ts";
import { mergeGaps } from "../../review/findings/checks.ts";
import { NO_TOKENS } from "../../model/model.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import { gatherBrokenExports } from "../gathering/exports/gather-broken-exports.ts";
import { gatherTranslations } from "../gathering/gather-translations.ts";
import type { ReviewProgress } from "../review-progress.ts";
import { analyseChangedFiles } from "./analyse-changed-files.ts";
import { checkTypes } from "./check-types.ts";
import { gapsOfAnalysers, gapsOfDependencies, LINTERS_OFF } from "./find-gaps.ts";
import { type RulesOutcome, runRules } from "./run-rules.ts";

export type RulesReview = RulesOutcome & {
  readonly report: PassReport;
  /** One per analyser that has files in the change. */
  readonly analysers: readonly AnalyserReport[];
  /** Everything that rules, linters, comparisons and look-ups didn't check. */
  readonly gaps: readonly CheckGap[];
};

export type RulesDeps = {
  /** Null when only a diff is known. */
  readonly repository: Repository | null;
  readonly reader: Reader;
  /** Null when linters aren't wanted. */
  readonly analysers: Analysers | null;
  /** Omitted: types aren't checked. */
  readonly typeChecker?: TypeChecker;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ReviewProgress) => void;
};

export async function reviewWithRules(
  prepared: PreparedReview,
  dependencies: DependencyReport | null,
  deps: RulesDeps,
): Promise<RulesReview> {
  const { change, analysis, config, listing, degradations } = prepared;
  const { repository, reader, now, signal } = deps;
  signal.throwIfAborted();
  const startedAt = now();
  const analysing = analyseChangedFiles(prepared, deps);
  const checkingTypes = checkTypes(prepared, { ...deps, typeChecker: deps.typeChecker ?? null });
  const rules = runRules(
    {
      change,
      analysis,
      config: config.tree,
      listing,
      dependencies,
      findBrokenExports: () => gatherBrokenExports(prepared, deps),
      readTranslations: () => gatherTranslations(prepared, repository),
    },
    {
      repository,
      reader,
      signal,
      degradations,
      isLate: () => now() - startedAt > analysis.timeBudgetSeconds * 1_000,
      onProgress: (doneFiles, totalFiles) => deps.onProgress({ kind: "rules", doneFiles, totalFiles }),
    },
  );
  const rulesDone = rules.then((outcome) => ({ outcome, ms: now() - startedAt }));
  const [{ outcome, ms }, analysed, typed] = await Promise.all([rulesDone, analysing, checkingTypes]);
  signal.throwIfAborted();
  return {
    ...outcome,
    findings: [...outcome.findings, ...analysed.findings, ...typed.findings],
    report: reportOf(prepared, outcome, ms),
    analysers: [...analysed.reports, ...typed.reports],
    gaps: mergeGaps([
      ...degradations.gaps(),
      ...(deps.analysers === null ? [LINTERS_OFF] : gapsOfAnalysers(analysed.reports, deps)),
      ...gapsOfAnalysers(typed.reports, deps),
      ...gapsOfDependencies(prepared, dependencies),
    ]),
  };
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
