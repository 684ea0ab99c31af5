/** What is major or worse must stand on lines the change touched, or be about the file as a whole; else it is medium. */
import { isAtLeast } from "../../../base/severity.ts";
import { type JudgingRule, KEEP } from "./rule.ts";

export const grounded: JudgingRule = ({ severity, anchor, finding }) => {
  if (!isAtLeast(severity, "major")) return KEEP;
  const isAboutFile = finding.quote === "" && finding.source !== "model";
  if (anchor?.isChanged === true || isAboutFile) return KEEP;
  const where = anchor === null ? "it could not be placed on a line" : "its line is not changed";
  return { kind: "severity", severity: "medium", note: `lowered from ${severity} to medium: ${where}` };
};
