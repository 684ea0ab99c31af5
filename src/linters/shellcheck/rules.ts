/**
 * Our selection of ShellCheck's checks: conditions that don't test, commands that don't run, values and files that get lost.
 * Quoting is reported only where it decides which files are deleted or what a test compares; elsewhere it's seldom a defect.
 */
import { COMMANDS } from "./rules/commands.ts";
import { EFFECTS } from "./rules/effects.ts";
import { PORTABILITY } from "./rules/portability.ts";
import { TESTS } from "./rules/tests.ts";
import { WORDS } from "./rules/words.ts";
import type { ShellcheckRule } from "./shellcheck-rule.ts";

export const SHELLCHECK_RULES: readonly ShellcheckRule[] = [
  ...TESTS,
  ...COMMANDS,
  ...EFFECTS,
  ...WORDS,
  ...PORTABILITY,
];
