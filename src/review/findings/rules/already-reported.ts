/** A finding that is open, contested or waived on this pull request isn't reported again. */
import { wasReported } from "../../context/prior-findings.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const alreadyReported: JudgingRule = ({ id }, { prior }) =>
  wasReported(id, prior)
    ? drop("dropped:already-told", "it was already reported on this pull request")
    : KEEP;
