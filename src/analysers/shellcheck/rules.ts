/**
 * Our selection of ShellCheck's checks: conditions that don't test, commands that don't run, values and files that get lost.
 * Quoting in general is left out: it's by far the most frequent advice and seldom a defect.
 */
import { COMMANDS } from "./rules/commands.ts";
import { TESTS } from "./rules/tests.ts";
import type { ShellcheckRule } from "./shellcheck-rule.ts";

export const SHELLCHECK_RULES: readonly ShellcheckRule[] = [...TESTS, ...COMMANDS];
