/** The pattern of a finding: findings of one pattern are judged by the feedback on all of them. */
import type { Finding } from "../review/findings/finding.ts";

/** Words beyond this many say nothing more about the kind of problem. */
const MAX_WORDS = 12;

/** The rule, or for a model's finding the category and the words of its title without code, numbers and case. */
export function patternOf({ rule, category, title }: Pick<Finding, "rule" | "category" | "title">): string {
  if (rule !== null) return `rule:${rule}`;
  const prose = wordsIn(title.replaceAll(/`[^`]*`|"[^"]*"|\d+/g, " "));
  // A title of code alone has no kind of problem in it.
  const words = prose.length > 0 ? prose : wordsIn(title);
  return `title:${category}:${words.slice(0, MAX_WORDS).join(" ")}`;
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

export function isRulePattern(pattern: string): boolean {
  return pattern.startsWith("rule:");
}

/** Whether the pattern may be of security findings. A rule's pattern doesn't say. */
export function mayBeSecurity(pattern: string): boolean {
  return isRulePattern(pattern) || pattern.startsWith("title:security:");
}
