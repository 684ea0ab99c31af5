/** A finding of an earlier review whose rule Kodiai no longer has, or whose rule or linter the configuration has turned off since. Critical findings stay. */
import { REMOVED_RULE_IDS } from "../../../config/repo-config/removed-rules.ts";
import { TYPE_RULE_IDS } from "../../../config/repo-config/type-rules.ts";
import type { ConfigTree } from "../../../config/repo-config/repo-config.ts";
import type { Finding } from "../finding.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const turnedOff: JudgingRule = ({ finding, severity, carried, facts }, { config }) => {
  if (carried === undefined || severity === "critical") return KEEP;
  if (facts?.isSkipped === true) return drop("suppressed:config", "review.skipPaths excludes its file");
  const why = whyTurnedOff(finding, config);
  return why === null ? KEEP : drop("suppressed:config", why);
};

/** Why this rule doesn't run on this path; null when it does. */
export function whyTurnedOff(
  { rule, path, source }: Pick<Finding, "rule" | "path"> & { readonly source: string },
  config: Pick<ConfigTree, "forPath">,
): string | null {
  if (rule === null || source === "sarif") return null;
  if (REMOVED_RULE_IDS.has(rule)) return "Kodiai no longer has this rule";
  const { floor, analysers } = config.forPath(path).values;
  if (!floor.enabled) return "floor.enabled is false";
  if (floor.rules[rule] === "off") return `floor.rules: ${rule} is off`;
  const tool = Object.entries(analysers).find(
    ([name]) => source === "analyser" && rule.startsWith(`${name}/`),
  );
  if (tool === undefined) return null;
  const [name, setting] = tool;
  if (setting === "off") return `analysers: ${name} is off`;
  if (
    TYPE_RULE_IDS.has(rule) &&
    !(typeof setting === "object" && "typeAware" in setting && setting.typeAware)
  )
    return "analysers.oxlint.typeAware is off";
  const isIgnored = setting !== "on" && setting.ignore.includes(rule.slice(name.length + 1));
  return isIgnored ? `analysers: ${rule} is ignored` : null;
}
