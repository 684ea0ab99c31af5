/** How important a finding is among others: .45 severity + .30 file risk + .15 category + .10 recurrence. */
import type { Category, Severity } from "../../base/severity.ts";

const WEIGHTS = { severity: 0.45, fileRisk: 0.3, category: 0.15, recurrence: 0.1 };

const SEVERITY_SCORES: Readonly<Record<Severity, number>> = {
  critical: 1,
  "must-fix": 0.8,
  major: 0.6,
  medium: 0.4,
  minor: 0.2,
};

const CATEGORY_SCORES: Readonly<Record<Category, number>> = {
  security: 1,
  correctness: 0.9,
  reliability: 0.8,
  performance: 0.7,
  dependencies: 0.6,
  tests: 0.5,
  maintainability: 0.4,
  documentation: 0.2,
  style: 0.1,
};

/** From this many occurrences on, recurrence counts fully. */
const FULL_RECURRENCE = 5;

export type PriorityFacts = {
  readonly severity: Severity;
  readonly category: Category;
  /** 0 to 100. */
  readonly fileRisk: number;
  readonly isFocused: boolean;
  /** How many findings of this kind the change has, itself included. */
  readonly occurrences: number;
};

/** 0 to 1. */
export function priorityOf({ severity, category, fileRisk, isFocused, occurrences }: PriorityFacts): number {
  return (
    WEIGHTS.severity * SEVERITY_SCORES[severity] +
    WEIGHTS.fileRisk * (fileRisk / 100) +
    WEIGHTS.category * (isFocused ? 1 : CATEGORY_SCORES[category]) +
    WEIGHTS.recurrence * (Math.min(occurrences, FULL_RECURRENCE) / FULL_RECURRENCE)
  );
}
