/**
 * The Analysers port: well-kept linters that check the changed files with our selection of rules. A tool's failure costs
 * only its own findings and is part of its report.
 */
import type { RepoConfig } from "../config/repo-config/schema.ts";
import type { Finding } from "../review/findings/finding.ts";
import type { AnalyserReport } from "./analyser-report.ts";
import type { AnalysedFile } from "./engine.ts";

/** A changed file with what decides which diagnostics are reported. */
export type FileToAnalyse = Omit<AnalysedFile, "text"> & {
  /** The complete file at the head; null when it is too large or can't be read. */
  readonly text: string | null;
  /** Numbers of the added lines. */
  readonly added: ReadonlySet<number>;
  readonly isTest: boolean;
  /** Settings that apply to this path. */
  readonly config: Pick<RepoConfig, "floor" | "analysers">;
};

export type Analysed = {
  readonly findings: readonly Finding[];
  /** One per analyser that has files in the change. */
  readonly reports: readonly AnalyserReport[];
};

export type Analysers = {
  /** True when an analyser checks such files: only their texts are needed. */
  isFor(file: Pick<AnalysedFile, "path" | "language">): boolean;
  /** Loads the programs for such files, while the review still reads its configuration. */
  warm?(files: readonly Pick<AnalysedFile, "path" | "language">[]): void;
  /** Rejects only when the signal was aborted. */
  analyse(files: readonly FileToAnalyse[], signal: AbortSignal): Promise<Analysed>;
};
