/** For a second review: what changed since the last one, and what was read before. */
import { isHunkUnread } from "../../change/scope.ts";
import { count } from "../../../base/count.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

const SHORT_ID_CHARS = 12;

export const whatIsNew: SectionRenderer = {
  name: "what is new",
  budgetChars: 2_000,
  leanBudgetChars: 2_000,
  render({ context: { scope }, pass }) {
    if (scope.full !== null || scope.since === null) return NOTHING;
    const hunks = pass.paths.flatMap((path) => scope.byPath.get(path) ?? []);
    const unread = hunks.filter(isHunkUnread).length;
    const text = [
      "# What is new",
      `This change was reviewed before, at commit ${scope.since.slice(0, SHORT_ID_CHARS)}. Review what changed since: ${count(unread, "hunk")} in ${count(pass.paths.length, "file")}. Hunks marked "reviewed before" are there as context.`,
      "Record a finding on code that was reviewed before only if new code causes it. Then set caused_by to the file with that new code.",
    ];
    return { text: text.join("\n"), cutChars: 0 };
  },
};
