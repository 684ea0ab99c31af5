/** The pattern of a finding: findings of one pattern are judged by the feedback on all of them. */
import type { Finding } from "../review/findings/finding.ts";

/** Words beyond this many say nothing more about the kind of problem. */
const MAX_WORDS = 12;

/** The rule, or for a model's finding the category and the words of its title without code, numbers and case. */
export function patternOf({ rule, category, title }: Pick<Finding, "rule" | "category" | "title">): string {
  if (rule !== null) return `rule:${rule}`;
  const words = title
    .replaceAll(/`[^`]*`|"[^"]*"|\d+/g, " ")
    .toLowerCase()
    .match(/\p{L}+/gu);
  return `title:${category}:${(words ?? []).slice(0, MAX_WORDS).join(" ")}`;
}

export function isRulePattern(pattern: string): boolean {
  return pattern.startsWith("rule:");
}
