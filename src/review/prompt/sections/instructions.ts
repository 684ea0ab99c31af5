/** `review.prompt`: the repository's instructions for every review. */
import { cutNote, fitProse } from "../fit.ts";
import type { PromptInput } from "../prompt.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

export const instructions: SectionRenderer<Pick<PromptInput, "config" | "guard">> = {
  name: "instructions",
  budgetChars: 4_000,
  leanBudgetChars: 1_500,
  render({ config, guard }, budgetChars) {
    const { text, cutChars } = fitProse(config.review.prompt, budgetChars, guard);
    if (text === "") return NOTHING;
    const fenced = guard.fence("repository guidance: for every review", text);
    return { text: `# Instructions from the repository\n${fenced}${cutNote(cutChars)}`, cutChars };
  },
};
