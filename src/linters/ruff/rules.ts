/** Our selection of ruff's rules. Style, taste and what our own rules or the flow rules do better are left out. */
import type { RuffRule } from "./ruff-rule.ts";
import { CLASSES } from "./rules/classes.ts";
import { CONDITIONS } from "./rules/conditions.ts";
import { ERRORS } from "./rules/errors.ts";
import { NAMES } from "./rules/names.ts";
import { RUNNING } from "./rules/running.ts";
import { VALUES } from "./rules/values.ts";

export const RUFF_RULES: readonly RuffRule[] = [
  ...NAMES,
  ...CONDITIONS,
  ...ERRORS,
  ...VALUES,
  ...CLASSES,
  ...RUNNING,
];
