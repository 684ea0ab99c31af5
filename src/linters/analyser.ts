/** An analyser: a linter with our selection of its rules. One line in all-analysers.ts. */
import type { Reading } from "../base/task-process/task-runner.ts";
import type { AnalyserRule } from "./analyser-rule.ts";
import type { AnalysedFile, Diagnostic, FileCheck, LoadEngine } from "./engine.ts";

export type AnalyserName = "oxlint" | "ruff" | "shellcheck" | "actionlint";

/** A tool that is a program: it checks all files in one run. */
export type Program = {
  readonly version: string;
  /** Starts a run before its files are known. */
  prepare?(maxCpuSeconds: number): void;
  /** Every path has its check. Rejects only when the signal was aborted. */
  check(files: readonly AnalysedFile[], limits: ProgramLimits): Promise<Reading<ChecksByPath>>;
};

export type ProgramLimits = { readonly maxCpuSeconds: number; readonly signal: AbortSignal };

export type ChecksByPath = ReadonlyMap<string, FileCheck>;

export type Analyser = {
  readonly name: AnalyserName;
  /** The optional npm package that contains it. */
  readonly package: string;
  isFor(file: Pick<AnalysedFile, "path" | "language">): boolean;
  /** Larger files, and files beyond the sum for a review, would take too long. They are reported as not checked. */
  readonly maxChars: { readonly file: number; readonly review: number };
  /** Imported on demand, like the tool itself. */
  readonly rules: () => Promise<readonly AnalyserRule[]>;
} & (
  | { readonly kind: "engine"; readonly load: LoadEngine }
  | {
      readonly kind: "program";
      readonly load: () => Promise<Program>;
      /** A finding that counts only if another parser can't read the file either. Omitted: none. */
      readonly isDoubtful?: (diagnostic: Diagnostic) => boolean;
    }
);
