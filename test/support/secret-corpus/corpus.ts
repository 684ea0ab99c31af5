/** The secret corpus: every format that must not reach a model, a log or a recording. */
import { KEYS } from "./keys.ts";
import type { Planted } from "./planted.ts";
import { SETTINGS } from "./settings.ts";
import { TOKENS } from "./tokens.ts";

export const PLANTED: readonly Planted[] = [...TOKENS, ...SETTINGS, ...KEYS];
