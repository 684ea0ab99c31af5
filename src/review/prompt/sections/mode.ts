/** Which findings will be reported. The model should rate severities honestly, not keep findings back. */
import { CATEGORIES } from "../../../base/severity.ts";
import { fitLines } from "../fit.ts";
import type { SectionRenderer } from "../section.ts";

const KNOWN: ReadonlySet<string> = new Set(CATEGORIES);

export const mode: SectionRenderer = {
  name: "mode",
  budgetChars: 600,
  leanBudgetChars: 600,
  render({ analysis, guard }, budgetChars) {
    const { minLevel, ignoredCategories, focusedCategories } = analysis.mode;
    const ignored = ignoredCategories.filter((name) => KNOWN.has(name));
    const focused = focusedCategories.filter((name) => KNOWN.has(name));
    const topics = focusedCategories.filter((name) => !KNOWN.has(name)).map((name) => guard.prose(name));
    const { lines, cutChars } = fitLines(topics, { budgetChars });
    const text = [
      "# Reporting",
      `The author sees findings of severity ${minLevel} and higher${ignored.length === 0 ? "" : `, except ${ignored.join(" and ")}`}. Spend your time accordingly, but rate each finding honestly: don't raise a severity to get it reported, and don't keep back a finding that you are sure of.`,
      ...(focused.length === 0 ? [] : [`Look closest at ${focused.join(" and ")}.`]),
      ...(lines.length === 0 ? [] : ["Also look at these topics:", guard.fence("topics", lines.join("\n"))]),
    ];
    return { text: text.join("\n"), cutChars };
  },
};
