/** What will be told of what is found. The model is asked to be honest about severities, not to keep silent. */
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
      "# What will be told",
      `Findings from ${minLevel} up are told to the author${ignored.length === 0 ? "" : `, those about ${ignored.join(" and ")} are not`}. Spend your time accordingly, but give each finding the severity it has: none is raised to be heard, and none that you are sure of is kept back.`,
      ...(focused.length === 0 ? [] : [`Look closest at ${focused.join(" and ")}.`]),
      ...(lines.length === 0
        ? []
        : ["People asked to look at these topics too:", guard.fence("topics to look at", lines.join("\n"))]),
    ];
    return { text: text.join("\n"), cutChars };
  },
};
