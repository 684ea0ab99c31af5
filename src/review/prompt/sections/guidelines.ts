/** The guideline files of the base branch. They guide the review, but override nothing. */
import { showPath } from "../../untrusted/show-path.ts";
import { cutNote, fitProse } from "../fit.ts";
import type { PromptInput } from "../prompt.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

/** A shorter part of a file is a misleading fragment. */
const MIN_CHARS = 200;

type GuidelinesInput = Pick<PromptInput, "guard"> & {
  readonly context: Pick<PromptInput["context"], "guidelines">;
};

export const guidelines: SectionRenderer<GuidelinesInput> = {
  name: "guidelines",
  budgetChars: 4_000,
  leanBudgetChars: 0,
  render({ context: { guidelines: files }, guard }, budgetChars) {
    const parts: string[] = [];
    let roomChars = budgetChars;
    let cutChars = 0;
    for (const { path, text } of files) {
      const fitted = fitProse(text, roomChars, guard);
      if (fitted.cutChars > 0 && roomChars < MIN_CHARS) {
        cutChars += text.length;
        continue;
      }
      if (fitted.text === "") continue;
      roomChars -= fitted.text.length;
      cutChars += fitted.cutChars;
      parts.push(`${showPath(path, guard)}:\n${fitted.text}`);
    }
    if (parts.length === 0) return { ...NOTHING, cutChars };
    const fenced = guard.fence("repository guidance: guideline files", parts.join("\n\n"));
    return { text: `# Repository guidelines\n${fenced}${cutNote(cutChars)}`, cutChars };
  },
};
