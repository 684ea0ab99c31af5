/**
 * A rule or a linter's rule is more severe than medium only with a proof in the finding, or with evidence: judged findings of the rule
 * on real commits (bench/judged-commits.json, docs/rule-hits.json). A severity from the configuration stays.
 */
import { isAtLeast, type Severity } from "../../../base/severity.ts";
import PROVEN_RULES from "../proven-rules.json" with { type: "json" };
import { type JudgingRule, KEEP } from "./rule.ts";
import { hasOwnSeverity } from "./own-severity.ts";

export const MOST_WITHOUT_PROOF: Severity = "medium";

const PROVEN: ReadonlySet<string> = new Set(PROVEN_RULES);

/** The severity of a rule's finding at most as high as what is proven allows. `hasProof`: the finding itself shows it. */
export function provenSeverity(rule: string, severity: Severity, hasProof: boolean): Severity {
  const isAllowed = hasProof || PROVEN.has(rule) || isAtLeast(MOST_WITHOUT_PROOF, severity);
  return isAllowed ? severity : MOST_WITHOUT_PROOF;
}

export const provenWhenLoud: JudgingRule = (candidate, { config }) => {
  const { finding, severity } = candidate;
  // Other tools and models have severities of their own.
  if (finding.rule === null || (finding.source !== "floor" && finding.source !== "analyser")) return KEEP;
  if (hasOwnSeverity(finding, config)) return KEEP;
  const allowed = provenSeverity(finding.rule, severity, finding.proof !== undefined);
  if (allowed === severity) return KEEP;
  return {
    kind: "severity",
    severity: allowed,
    note: `lowered from ${severity} to ${allowed}: neither the finding nor judged commits prove it`,
  };
};
