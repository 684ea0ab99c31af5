/** Findings of earlier reviews in files with new code. The model says of each whether it is still there: its silence proves nothing. */
import { severityRank } from "../../../base/severity.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { fitLines, leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

/** More would take the attention from the new code. The others stay open. */
const MAX_FINDINGS = 20;

/** The beginning of an explanation says what to look for. */
const MAX_BODY_CHARS = 240;

export const checkAgain: SectionRenderer = {
  name: "check again",
  budgetChars: 6_000,
  leanBudgetChars: 3_000,
  render({ context: { earlier }, pass, guard }, budgetChars) {
    const own = earlier.toCheckAgain.filter(({ path }) => pass.paths.includes(path));
    if (own.length === 0) return NOTHING;
    const listed = own
      .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity) || a.number - b.number)
      .map(({ number, path, line, severity, title, body }) => {
        const place = `${showPath(path, guard)}${line === null ? "" : `:${line}`}`;
        // Cut after guarding, because half of a secret wouldn't be recognized.
        const [name, why] = [title, body].map((text) => guard.prose(text).replaceAll(/\s+/g, " "));
        const detail = body === "" ? "" : `: ${why?.slice(0, MAX_BODY_CHARS)}`;
        return `- (${number}) ${place} [${severity}] ${name}${detail}`;
      });
    const { lines, left, cutChars } = fitLines(listed, { budgetChars, maxLines: MAX_FINDINGS });
    if (lines.length === 0) return { ...NOTHING, cutChars };
    const fenced = guard.fence("findings to check again", lines.join("\n"));
    return {
      text: `# Check again\nThese findings were reported before, and their files have new code. Look at each in the code as it is now, and answer with confirm_finding: "still-there" or "fixed", with the line that shows it. A renamed variable or moved code fixes nothing. Don't record them again.\n${fenced}${leftNote(left)}`,
      cutChars,
    };
  },
};
