/** A row of shellcheck's table, and the short forms that its files share. */
import type { AnalyserRule } from "../analyser-rule.ts";
import type { Diagnostic } from "../engine.ts";

export type ShellcheckRule = AnalyserRule & {
  /** False: shellcheck is right, but the pattern is usually harmless. Omitted: always true. */
  readonly isWanted?: (found: Diagnostic, lines: readonly string[]) => boolean;
};
