/** Major and more severe findings must be on changed lines or about a whole file; otherwise they become medium. */
import { isAtLeast } from "../../../base/severity.ts";
import { type JudgingRule, KEEP } from "./rule.ts";

export const grounded: JudgingRule = ({ severity, anchor, finding, carried }) => {
  if (!isAtLeast(severity, "major") || carried?.isPlaceUncertain === true) return KEEP;
  const isAboutFile = finding.quote === "" && finding.source !== "model";
  if (anchor?.isChanged === true || isAboutFile) return KEEP;
  const where = anchor === null ? "it couldn't be placed on a line" : "its line isn't changed";
  return { kind: "severity", severity: "medium", note: `lowered from ${severity} to medium: ${where}` };
};
