/** The question of a deep review. It comes from the user, who may instruct the model. */
import { NOTHING, type SectionRenderer } from "../section.ts";

export const question: SectionRenderer = {
  name: "question",
  budgetChars: 100_000,
  leanBudgetChars: 100_000,
  render({ context: { asked }, guard }) {
    if (asked === null) return NOTHING;
    const text = [
      "# Question",
      "The user asks this about the change. Think it through first, record the defects that it leads to, and answer it in the summary of finish_review.",
      guard.code(asked.question),
    ];
    return { text: text.join("\n"), cutChars: 0 };
  },
};
