/** The files of the pass with facts about each. */
import { showPath } from "../../untrusted/show-path.ts";
import { fitLines, leftNote } from "../fit.ts";
import { filesOfPass } from "../files-of-pass.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

export const files: SectionRenderer = {
  name: "files",
  budgetChars: 8_000,
  leanBudgetChars: 0,
  render(input, budgetChars) {
    const { analysis, guard } = input;
    const listed = filesOfPass(input).map((file) => {
      const facts = analysis.byPath.get(file.path);
      const tier = analysis.scale.isTriaged ? `, ${facts?.tier ?? "full"}` : "";
      return `- ${showPath(file.path, guard)} (${file.status}, +${file.addedLines} -${file.removedLines}, ${facts?.category ?? "source"}, ${facts?.language ?? "unknown"}, risk ${Math.round(facts?.risk ?? 0)}${tier})`;
    });
    if (listed.length === 0) return NOTHING;
    const { lines, left, cutChars } = fitLines(listed, { budgetChars });
    const fenced = guard.fence(
      `files to review${input.pass.round === undefined ? ", riskiest first" : ""}`,
      lines.join("\n"),
    );
    return { text: `# Files\n${fenced}${leftNote(left)}`, cutChars };
  },
};
