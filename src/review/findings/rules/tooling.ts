/** Style and import order are left to the repository's own formatter and linter where it has them. */
import type { Finding } from "../finding.ts";
import { drop, type JudgingRule, KEEP } from "./rule.ts";

const IMPORT_ORDER = /\b(?:import|include)s? (?:order|sort)|\b(?:unsorted|unordered) imports?\b/i;

/** True for matters that a formatter or linter decides. */
export function isToolingMatter({ category, title }: Finding): boolean {
  return category === "style" || IMPORT_ORDER.test(title);
}

export const tooling: JudgingRule = ({ finding }, { config, hasTooling }) => {
  const setting = config.forPath(finding.path).values.languageRules.tooling;
  if (setting === "off" || (setting === "auto" && !hasTooling) || !isToolingMatter(finding)) return KEEP;
  return drop("filtered:tooling", "style is left to the repository's formatter or linter");
};
