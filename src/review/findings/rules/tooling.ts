/** Style and import order are left to the repository's own formatter and linter where it has them. */
import { drop, type JudgingRule, KEEP } from "./rule.ts";

const IMPORT_ORDER = /\b(?:import|include)s? (?:order|sort)|\b(?:unsorted|unordered) imports?\b/i;

export const tooling: JudgingRule = ({ finding }, { config, hasTooling }) => {
  const setting = config.forPath(finding.path).values.languageRules.tooling;
  if (setting === "off") return KEEP;
  if (finding.category !== "style" && !IMPORT_ORDER.test(finding.title)) return KEEP;
  if (setting === "auto" && !hasTooling()) return KEEP;
  return drop("filtered:tooling", "the repository's formatter or linter decides on style");
};
