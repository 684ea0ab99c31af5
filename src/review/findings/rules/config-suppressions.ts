/** `review.suppressions`: plain text, `glob:` on the path, `regex:` on the title. Critical findings are never suppressed. */
import { compileGlobs } from "../../../base/glob.ts";
import type { Finding } from "../finding.ts";
import { drop, type JudgingRule, KEEP, type JudgingContext } from "./rule.ts";

export const configSuppressions: JudgingRule = ({ finding, severity }, situation) => {
  if (severity === "critical") return KEEP;
  const entries = situation.config.forPath(finding.path).values.review.suppressions;
  const entry = entries.find((each) => matches(each, finding, situation));
  return entry === undefined ? KEEP : drop("suppressed:config", `review.suppressions: ${entry}`);
};

function matches(entry: string, finding: Finding, { config }: JudgingContext): boolean {
  if (entry.startsWith("glob:")) return compileGlobs([entry.slice("glob:".length)])(finding.path);
  if (entry.startsWith("regex:"))
    return config.compilePattern(entry.slice("regex:".length))?.(finding.title) ?? false;
  const plain = entry.toLowerCase();
  return finding.rule === entry || finding.path === entry || finding.title.toLowerCase().includes(plain);
}
