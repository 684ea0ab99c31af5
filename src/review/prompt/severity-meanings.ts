/** What each severity means, in the words that every model gets. */
import type { Severity } from "../../base/severity.ts";

export const SEVERITY_MEANINGS: Readonly<Record<Severity, string>> = {
  critical:
    "will cause an incident: a crash in normal use, lost or corrupted data, an exploitable vulnerability",
  "must-fix":
    "wrong under normal conditions: a wrong result, a broken caller, a permission check that can be bypassed",
  major: "degrades under load or over time: leaks, races, unbounded growth, repeated work",
  medium:
    "wrong in edge cases: an unusual input, a swallowed or misreported error, an important gap in a test",
  minor: "correct but hard to maintain: a misleading name or comment, dead code, a small cleanup",
};
