/** A finding about a file that the change does not touch is evidence at most, never told. */
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const inChange: JudgingRule = ({ file, finding }) =>
  file === null ? drop("dropped:not-in-change", `${finding.path} is not part of the change`) : KEEP;
