/**
 * The findings of rules and linters that a model is shown, each with an id by which it can dispute it, and with a key that is the same in
 * every attempt.
 */
import { hashParts } from "../../base/hash.ts";
import { severityRank } from "../../base/severity.ts";
import { DESCRIPTION_PATH } from "./description-path.ts";
import type { Dispute, Finding } from "./finding.ts";
import { isAlwaysListed } from "./rules/always-reported.ts";
import { pointsAtSecret } from "./secret-rules.ts";

/** Long enough that two findings of one review never share a key. */
const KEY_CHARS = 24;

/** A finding as a prompt lists it. */
export type ListedFinding = {
  readonly finding: Finding;
  /** "r1"; null for a finding that can't be disputed. */
  readonly id: string | null;
  readonly key: string;
};

/** By the key of the finding. */
export type Disputes = ReadonlyMap<string, Dispute>;

/** The findings in the files of a pass and in the description, the most severe first. */
export function listEvidence(
  findings: readonly Finding[],
  paths: readonly string[],
): readonly ListedFinding[] {
  const inPass = new Set([...paths, DESCRIPTION_PATH]);
  return findings
    .filter(({ path }) => inPass.has(path))
    .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
    .map((finding, index) => ({
      finding,
      id: isBeyondDispute(finding) ? null : `r${index + 1}`,
      key: keyOf(finding),
    }));
}

/** A model that reads the change could be talked out of secrets and of attempts to steer it. A registry proves what it says. */
function isBeyondDispute(finding: Finding): boolean {
  return isAlwaysListed({ finding }) || pointsAtSecret(finding) || finding.source === "bump";
}

export function withDisputes(findings: readonly Finding[], disputes: Disputes): readonly Finding[] {
  if (disputes.size === 0) return findings;
  return findings.map((finding) => {
    const disputed = disputes.get(keyOf(finding));
    return disputed === undefined ? finding : { ...finding, disputed };
  });
}

function keyOf({ path, rule, title, quote, lineHint }: Finding): string {
  return hashParts([path, rule ?? "", title, quote, String(lineHint)], KEY_CHARS);
}
