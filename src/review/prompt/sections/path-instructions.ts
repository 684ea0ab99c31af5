/** `review.pathInstructions` whose globs match a file of the pass. */
import { compileGlobs } from "../../../base/glob.ts";
import { fitLines, leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

export const pathInstructions: SectionRenderer = {
  name: "path instructions",
  budgetChars: 3_000,
  leanBudgetChars: 0,
  render({ config, pass, guard }, budgetChars) {
    const matching = config.review.pathInstructions
      .filter(({ paths }) => pass.paths.some(compileGlobs(paths)))
      .map(
        ({ paths, instructions }) => `- For ${guard.prose(paths.join(", "))}: ${guard.prose(instructions)}`,
      );
    if (matching.length === 0) return NOTHING;
    const { lines, left, cutChars } = fitLines(matching, { budgetChars });
    if (lines.length === 0) return { ...NOTHING, cutChars };
    const fenced = guard.fence("repository guidance: for matching files", lines.join("\n"));
    return { text: `# Instructions for some files\n${fenced}${leftNote(left)}`, cutChars };
  },
};
