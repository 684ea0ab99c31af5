/** Updates docs/rule-hits.json: each bench replaces what it measured and keeps the rest, such as the judgements that a person added. */
import { readFileSync, writeFileSync } from "node:fs";
import type { RuleEvidence, RuleHits } from "../../scripts/render-rules-docs.ts";

export function updateRuleHits(
  path: string,
  measure: (before: RuleHits) => Partial<Omit<RuleHits, "rules">>,
  update: (rule: string, before: RuleEvidence) => RuleEvidence,
  found: Iterable<string>,
): void {
  // A bench wrote it, or it's the file of the repository.
  const before = JSON.parse(readFileSync(path, "utf8")) as RuleHits;
  const rules = [...new Set([...Object.keys(before.rules), ...found])]
    .toSorted()
    .map((rule) => [rule, update(rule, before.rules[rule] ?? {})] as const)
    .filter(([, evidence]) => Object.keys(evidence).length > 0);
  const after: RuleHits = { ...before, ...measure(before), rules: Object.fromEntries(rules) };
  writeFileSync(path, `${JSON.stringify(after, null, 2)}\n`);
}
