/** A model's findings of earlier reviews in code that didn't change, so that this one doesn't repeat them. Rules report theirs again. */
import { severityRank } from "../../../base/severity.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { fitLines, leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

const MAX_FINDINGS = 10;

export const openFindings: SectionRenderer = {
  name: "open findings",
  budgetChars: 2_000,
  leanBudgetChars: 0,
  render({ context: { earlier }, guard }, budgetChars) {
    const { reportedBefore } = earlier;
    if (reportedBefore.length === 0) return NOTHING;
    const listed = reportedBefore
      .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
      .map(({ path, line, severity, title }) => {
        const place = `${showPath(path, guard)}${line === null ? "" : `:${line}`}`;
        return `- ${place} [${severity}] ${guard.prose(title).replaceAll(/\s+/g, " ")}`;
      });
    const { lines, left, cutChars } = fitLines(listed, { budgetChars, maxLines: MAX_FINDINGS });
    if (lines.length === 0) return { ...NOTHING, cutChars };
    const fenced = guard.fence("reported before and still open", lines.join("\n"));
    return {
      text: `# Still open from earlier reviews\nDon't repeat these.\n${fenced}${leftNote(left)}`,
      cutChars,
    };
  },
};
