/** The context pack of a deep review: the change again, with the files around it in full. */
import { NOTHING, type SectionRenderer } from "../section.ts";

/** The packer has fit it into the model's window, so it's shown completely or not at all. */
const ANY_CHARS = 100_000_000;

export const contextPack: SectionRenderer = {
  name: "context pack",
  budgetChars: ANY_CHARS,
  leanBudgetChars: 0,
  render({ context: { asked }, guard }) {
    if (asked === null) return NOTHING;
    const fenced = guard.fence("context pack", guard.code(asked.pack));
    return { text: `# The code around the change\n${fenced}`, cutChars: 0 };
  },
};
