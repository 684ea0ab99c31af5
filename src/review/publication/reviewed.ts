/** The results of everything that reviewed a change, as one value: built-in rules, linters, SARIF files and models. */
import type { AnalyserReport } from "../../linters/analyser-report.ts";
import type { NoModelReason } from "../../model/no-model-reason.ts";
import type { VerificationReport } from "../context/verification.ts";
import type { CheckedAgain } from "../findings/carry-prior.ts";
import type { Finding } from "../findings/finding.ts";
import type { SarifReport } from "../findings/sarif-report.ts";
import type { ReadCoverage } from "./compose/compose-receipt.ts";
import type { PassOverview, PassReport } from "./publication.ts";

export type Reviewed = {
  /** Of rules and linters first, then of SARIF files, then of models. None is judged. */
  readonly findings: readonly Finding[];
  readonly coverage: ReadCoverage;
  /** Every attempt of every reviewer, the built-in rules first. */
  readonly passes: readonly PassReport[];
  /** Ids of the built-in rules that are on. Empty when the rules over the whole change couldn't run. */
  readonly rules: ReadonlySet<string>;
  /** Those that also check lock files, generated and skipped files. */
  readonly rulesForAll: ReadonlySet<string>;
  /** One per linter that has files in the change. */
  readonly analysers: readonly AnalyserReport[];
  readonly sarif: readonly SarifReport[];
  /** Answers of models about earlier findings, by number. */
  readonly answers: ReadonlyMap<number, CheckedAgain>;
  /** In the words of the models, as they are. */
  readonly overview: readonly PassOverview[];
  /** The most that attempts without a report may have cost: crashed processes and calls that were cut off. */
  readonly cutOffUsd: number;
  /** The verdicts of second readings; null when none was wanted. */
  readonly verification: VerificationReport | null;
  /** Why no model took part, and how to have one; null when one was asked. */
  readonly noModel: NoModelReason | null;
};
