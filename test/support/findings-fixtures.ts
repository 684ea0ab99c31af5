/** A finding with every field, for tests. Fields that aren't given have neutral values. */
import type { Finding } from "../../src/review/findings/finding.ts";

export function findingOf(given: Partial<Finding>): Finding {
  return {
    title: "Something is wrong",
    body: "It matters.",
    severity: "medium",
    category: "correctness",
    path: "src/a.ts",
    quote: "",
    lineHint: null,
    sideHint: "new",
    suggestion: null,
    confidence: 0.9,
    evidence: [],
    source: "model",
    rule: null,
    pass: "review",
    ignoredBecause: null,
    ...given,
  };
}

/** The required description fields of a rule, for rules created in tests. */
export const RULE_FACTS = {
  title: "T",
  severity: "medium",
  category: "correctness",
  why: "Why.",
  fix: "Fix.",
} as const;
