/** The lens of a later round: the one question that a reading of the whole change answers badly. */
import type { Lens } from "../../analysis/lenses.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

const QUESTIONS: Readonly<Record<Lens, string>> = {
  "removed-code":
    "Removed code and contracts. For each removed or replaced line, name what it guaranteed: a check, a default, an order, an error, a released resource. Find the code that relied on it with find_references and search_code, and check that the new code still guarantees it. Do the same for changed signatures, return values, errors, defaults and stored formats.",
  siblings:
    "Siblings that do the same thing differently. For each changed function, find the code that does the same kind of work elsewhere: the other branch, handler or adapter, create and delete, read and write. Where they differ in a check, an error path, a limit, a unit, a lock or an escape, find out which one is wrong.",
  tests:
    "Tests that prove nothing. For each changed test, name the defect that would make it fail. Look for assertions that can't fail, mocks of the code under test, expected values that the code under test computes, a missing await, and cases that were removed or skipped. For changed code, name the branch that no test reaches.",
  concurrency:
    "Concurrency and cancellation. For each piece of shared state, name what else reads or writes it between a check and its use. Follow each lock, timer, channel, signal and awaited call: what happens if it fails, is cancelled, never ends, ends twice, or ends in another order. Check that each path releases what it holds.",
  guidelines:
    "The repository's own guidelines. Go through the guideline files in this prompt rule by rule. Record each line of the change that breaks a rule, and quote the rule in the body. Leave out rules that a linter enforces.",
};

export const lens: SectionRenderer = {
  name: "lens",
  // Fixed text: nothing comes from outside.
  budgetChars: 1,
  leanBudgetChars: 1,
  render({ pass: { round } }) {
    if (round === undefined) return NOTHING;
    const text = [
      "# What to look for",
      "The change was already read as a whole. Read it again with one question:",
      QUESTIONS[round.lens],
      "Use the same standard for findings as always. Record another defect only if you are certain of it. If the question leads to nothing, record nothing.",
    ];
    return { text: text.join("\n"), cutChars: 0 };
  },
};
