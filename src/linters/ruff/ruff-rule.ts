/** A row of ruff's table, and the short forms that its files share. */
import { nameOr } from "../../rules/rule.ts";
import type { AnalyserRule } from "../analyser-rule.ts";
import type { Diagnostic } from "../engine.ts";

export type RuffRule = AnalyserRule & {
  /** False: ruff is right, but the pattern is usually deliberate, or another row reports it. Omitted: always true. */
  readonly isWanted?: (found: Diagnostic, lines: readonly string[]) => boolean;
};

/** The first name in backticks of ruff's message, in backticks; `otherwise` when there is none or it isn't a plain name. */
export function nameIn(message: string, otherwise: string): string {
  return nameOr(/`([^`]+)`/.exec(message)?.[1] ?? "", otherwise);
}

/** The first line of a diagnostic. */
export function firstLine({ line }: Diagnostic, lines: readonly string[]): string {
  return lines[line - 1] ?? "";
}
