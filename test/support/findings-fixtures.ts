/** A finding with every field, for tests; what is not given means nothing special. */
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

/** What every floor rule must say of itself, for rules made in tests. */
export const RULE_FACTS = {
  title: "T",
  severity: "medium",
  category: "correctness",
  why: "Why.",
  fix: "Fix.",
  examples: { bad: [], good: [] },
} as const;
