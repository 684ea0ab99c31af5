/** A finding about a file outside the change isn't reported. The description belongs to the change, and so do files that it doesn't show. */
import { DESCRIPTION_PATH } from "../description-path.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const inChange: JudgingRule = ({ file, finding, carried }) =>
  file === null && carried === undefined && finding.path !== DESCRIPTION_PATH
    ? drop("dropped:not-in-change", `${finding.path} isn't part of the change`)
    : KEEP;
