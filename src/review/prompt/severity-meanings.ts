/** The meaning of each severity, in the words that every model gets. */
import type { Severity } from "../../base/severity.ts";

export const SEVERITY_MEANINGS: Readonly<Record<Severity, string>> = {
  critical: "an incident: a crash in normal use, lost or corrupted data, an exploitable vulnerability",
  "must-fix": "wrong in normal use: a wrong result, a broken caller, a bypassed permission check",
  major: "degrades under load or over time: leaks, races, unbounded growth, repeated work",
  medium: "wrong in edge cases: an unusual input, a swallowed or misreported error",
  minor: "correct but hard to maintain: a misleading name or comment, dead code",
};
