/** A finding of an earlier review whose rule or linter the configuration has turned off since. Critical findings stay. */
import { drop, type JudgingRule, KEEP } from "./rule.ts";

export const turnedOff: JudgingRule = ({ finding: { rule, path, source }, severity, carried }, { config }) => {
  if (carried === undefined || rule === null || severity === "critical") return KEEP;
  const { floor, analysers } = config.forPath(path).values;
  const [tool = ""] = rule.split("/", 1);
  const ofTool = source === "analyser" && Object.hasOwn(analysers, tool) ? analysers[tool as keyof typeof analysers] : "on";
  const isIgnored = typeof ofTool === "object" && ofTool.ignore.includes(rule.slice(tool.length + 1));
  if (floor.rules[rule] === "off") return drop("suppressed:config", `floor.rules: ${rule} is off`);
  if (ofTool === "off" || isIgnored) return drop("suppressed:config", `analysers: ${isIgnored ? rule : tool} is off`);
  return source !== "sarif" && !floor.enabled ? drop("suppressed:config", "floor.enabled is off") : KEEP;
};
