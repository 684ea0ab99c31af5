/** A finding about a file that the change does not touch is evidence at most, never told. Its description belongs to it. */
import { DESCRIPTION_PATH } from "../description-path.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const inChange: JudgingRule = ({ file, finding }) =>
  file === null && finding.path !== DESCRIPTION_PATH
    ? drop("dropped:not-in-change", `${finding.path} is not part of the change`)
    : KEEP;
