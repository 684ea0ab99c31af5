/**
 * Reports edits of Kodiai's configuration, and of guidelines when they tell reviewers to report less. The review itself never
 * reads these files from the change. A note in the details names other edits of guidelines.
 */
import { addedLines } from "../../review/change/walk-hunks.ts";
import { isGuideline } from "../lines/guideline-paths.ts";
import { reviewerOrders } from "../lines/reviewer-orders.ts";
import type { ChangeRule } from "../rule.ts";

const CONFIG = /(?:^|\/)\.kodiai(?:\.ya?ml$|\/)/i;

export const kodiaiConfigChanged: ChangeRule = {
  kind: "change",
  id: "kodiai-config-changed",
  title: "Change edits Kodiai's configuration",
  severity: "medium",
  category: "maintainability",
  why: "This review used the version on the base branch. The edit takes effect only after the merge.",
  fix: "Review this edit carefully: it can disable rules or instruct reviewers for every later change.",
  *check({ change, guidelineFiles }) {
    for (const file of change.files) {
      const { path } = file;
      const paths = [path, file.oldPath ?? path];
      if (paths.some((name) => CONFIG.test(name))) {
        const [first] = addedLines(file);
        yield { path, line: first?.line ?? 0 };
      } else if (paths.some((name) => isGuideline(name, guidelineFiles)))
        for (const line of reviewerOrders(path, addedLines(file)))
          yield { path, line, title: "Guidelines instruct reviewers to report less" };
    }
  },
};
