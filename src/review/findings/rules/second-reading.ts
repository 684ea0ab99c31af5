/**
 * The effect of a second reading. A refuted finding is withdrawn; an unsure one is one level less severe and only listed; a confirmed one
 * has the lower of the two severities. A verifier never raises a severity, and withdraws neither secrets nor what is always reported.
 */
import { isAtLeast, lowerSeverity } from "../../../base/severity.ts";
import { pointsAtSecret } from "../secret-rules.ts";
import { isAlwaysListed } from "./always-reported.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const secondReading: JudgingRule = (candidate) => {
  const { finding, severity, sources } = candidate;
  const { verification } = finding;
  if (verification === undefined || verification.verdict === "failed") return KEEP;
  if ([finding, ...sources].some((each) => isBeyondVerifier(each))) return KEEP;
  switch (verification.verdict) {
    case "refuted":
      return drop("dropped:withdrawn", verification.because);
    case "unsure": {
      const lowered = lowerSeverity(severity, 1);
      const change = lowered === severity ? "" : `lowered from ${severity} to ${lowered}: `;
      return { kind: "list", severity: lowered, note: `${change}a second reading could not confirm it` };
    }
    case "confirmed": {
      const isLower = !isAtLeast(verification.severity, severity);
      const lowered = isLower ? verification.severity : severity;
      const notes = [
        ...(isLower ? [`lowered from ${severity} to ${lowered}: a second reading rates it so`] : []),
        ...(verification.isNew ? [] : ["the problem was there before this change"]),
      ];
      return notes.length === 0 ? KEEP : { kind: "severity", severity: lowered, note: notes.join("; ") };
    }
  }
};

/** A model that reads the change could be talked out of these. */
export function isBeyondVerifier(finding: Parameters<typeof pointsAtSecret>[0]): boolean {
  return isAlwaysListed({ finding }) || pointsAtSecret(finding);
}
