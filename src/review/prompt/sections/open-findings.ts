/** Findings of earlier reviews of the same pull request that aren't fixed yet, so that the model doesn't repeat them. */
import { severityRank } from "../../../base/severity.ts";
import { openFindingsOf } from "../../context/prior-findings.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { fitLines, leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

const MAX_FINDINGS = 10;

export const openFindings: SectionRenderer = {
  name: "open findings",
  budgetChars: 2_000,
  leanBudgetChars: 0,
  render({ context: { prior }, guard }, budgetChars) {
    const open = openFindingsOf(prior);
    if (open.length === 0) return NOTHING;
    const listed = open
      .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
      .map(({ path, startLine, severity, title }) => {
        const place = `${showPath(path, guard)}${startLine === null ? "" : `:${startLine}`}`;
        return `- ${place} [${severity}] ${guard.prose(title).replaceAll(/\s+/g, " ")}`;
      });
    const { lines, left, cutChars } = fitLines(listed, { budgetChars, maxLines: MAX_FINDINGS });
    if (lines.length === 0) return { ...NOTHING, cutChars };
    const fenced = guard.fence("reported before and still open", lines.join("\n"));
    return {
      text: `# Still open from earlier reviews\nDon't repeat these. If the new code fixes one or makes it worse, say so in the summary.\n${fenced}${leftNote(left)}`,
      cutChars,
    };
  },
};
