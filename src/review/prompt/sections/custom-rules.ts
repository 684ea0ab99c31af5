/** `review.patterns.customRules`: the repository's own rules, as prose. */
import { fitLines, leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

const MAX_RULES = 10;

export const customRules: SectionRenderer = {
  name: "custom rules",
  budgetChars: 2_000,
  leanBudgetChars: 2_000,
  render({ config, guard }, budgetChars) {
    const rules = config.review.patterns.customRules.map((rule) => `- ${guard.prose(rule)}`);
    if (rules.length === 0) return NOTHING;
    const { lines, left, cutChars } = fitLines(rules, { budgetChars, maxLines: MAX_RULES });
    if (lines.length === 0) return { ...NOTHING, cutChars };
    const fenced = guard.fence("repository guidance: custom rules", lines.join("\n"));
    return {
      text: `# Repository rules\nA line of the change that breaks one of them is a finding; name the rule.\n${fenced}${leftNote(left)}`,
      cutChars,
    };
  },
};
