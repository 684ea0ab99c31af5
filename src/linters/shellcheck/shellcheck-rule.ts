/** A row of shellcheck's table, and the short forms that its files share. */
import type { AnalyserRule } from "../analyser-rule.ts";
import type { Diagnostic } from "../engine.ts";

export type ShellcheckRule = AnalyserRule & {
  /** False: shellcheck is right, but the pattern is usually harmless. Omitted: always true. */
  readonly isWanted?: (found: Diagnostic, lines: readonly string[]) => boolean;
};

/** The text starts on line 2, after `#!/bin/bash`. */
export function badShell(line: number, text: string): AnalyserRule["examples"]["bad"][number] {
  return { path: "scripts/run.sh", line, text: `#!/bin/bash\n${text}\n` };
}

export function goodShell(text: string): AnalyserRule["examples"]["good"][number] {
  return { path: "scripts/run.sh", text: `#!/bin/bash\n${text}\n` };
}
