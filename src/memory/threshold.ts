/** The cosine distance within which an earlier finding counts as similar. */
import { areRelated } from "./related-languages.ts";

/** Few memories: better a distant one than none. Many: the near ones are enough. */
const FEW_MEMORIES = 50;
const MANY_MEMORIES = 200;
const FACTOR_FEW = 1.3;
const FACTOR_MANY = 0.8;

/** Findings in C and C++ resemble each other: they name the same functions and the same few defects. */
const FACTOR_C = 0.9;
const FACTOR_UNCERTAIN = 1.1;

/** Another repository's finding has to resemble the change more. */
const FACTOR_SHARED = 0.85;

const LOWEST = 0.1;
const HIGHEST = 0.5;

export type ThresholdFacts = {
  /** As configured. */
  readonly base: number;
  readonly isAdaptive: boolean;
  /** How many memories the repository has. */
  readonly memories: number;
  /** Of the change; may be empty. */
  readonly languages: readonly string[];
  /** True for memories of the owner's other repositories. */
  readonly isShared: boolean;
};

export function thresholdOf({ base, isAdaptive, memories, languages, isShared }: ThresholdFacts): number {
  if (!isAdaptive) return base;
  const maturity = memories < FEW_MEMORIES ? FACTOR_FEW : memories > MANY_MEMORIES ? FACTOR_MANY : 1;
  const adapted = base * maturity * languageFactor(languages) * (isShared ? FACTOR_SHARED : 1);
  return Math.min(HIGHEST, Math.max(LOWEST, adapted));
}

function languageFactor(languages: readonly string[]): number {
  const [first = "unknown", ...others] = languages;
  if (first === "unknown" || others.some((other) => !areRelated(first, other))) return FACTOR_UNCERTAIN;
  return areRelated(first, "c") ? FACTOR_C : 1;
}
