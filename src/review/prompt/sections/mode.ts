/** The findings that the team doesn't want to see, and the topics that it cares about most. */
import { CATEGORIES } from "../../../base/severity.ts";
import { fitLines } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

const KNOWN: ReadonlySet<string> = new Set(CATEGORIES);

export const mode: SectionRenderer = {
  name: "mode",
  budgetChars: 600,
  leanBudgetChars: 600,
  render({ analysis, guard }, budgetChars) {
    const { shownFrom, ignoredCategories, focusedCategories } = analysis.mode;
    const unwanted = [
      ...(shownFrom === "minor" ? [] : [`less severe than ${shownFrom}`]),
      ...ignoredCategories.filter((name) => KNOWN.has(name)).map((name) => `about ${name}`),
    ];
    const focused = focusedCategories.filter((name) => KNOWN.has(name));
    const topics = focusedCategories.filter((name) => !KNOWN.has(name)).map((name) => guard.prose(name));
    const { lines, cutChars } = fitLines(topics, { budgetChars });
    const text = [
      ...(unwanted.length === 0
        ? []
        : [
            `The team doesn't want findings ${unwanted.join(" or ")}. Never raise a severity for that reason.`,
          ]),
      ...(focused.length === 0 ? [] : [`The team cares most about ${focused.join(" and ")}.`]),
      ...(lines.length === 0
        ? []
        : ["It also asks about these topics:", guard.fence("topics", lines.join("\n"))]),
    ];
    return text.length === 0 ? NOTHING : { text: ["# Reporting", ...text].join("\n"), cutChars };
  },
};
