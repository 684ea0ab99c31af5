/** The hunks that `review.triageModel` found less important. */
import { showPath } from "../../untrusted/show-path.ts";
import { fitLines, leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

export const skim: SectionRenderer = {
  name: "hunks to skim",
  budgetChars: 4_000,
  leanBudgetChars: 1_000,
  render({ change, pass, triage, guard }, budgetChars) {
    const inPass = new Set(pass.paths);
    const listed = change.files.flatMap(({ path, hunks }) => {
      const numbers = triage?.skimmed.get(path);
      if (numbers === undefined || !inPass.has(path)) return [];
      const which = numbers.size === hunks.length ? "all of it" : `hunks ${[...numbers].join(", ")}`;
      return [`- ${showPath(path, guard)}: ${which}`];
    });
    if (listed.length === 0) return NOTHING;
    const { lines, left, cutChars } = fitLines(listed, { budgetChars });
    const text = [
      "# Hunks to skim",
      "The change is very large. Skim these hunks for major and more severe defects, and read all others closely. Read one of these closely too if it turns out to matter.",
      `${guard.fence("hunks to skim", lines.join("\n"))}${leftNote(left)}`,
    ];
    return { text: text.join("\n"), cutChars };
  },
};
