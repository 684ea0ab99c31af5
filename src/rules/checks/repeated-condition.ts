/** The same condition twice in one `if … else if` chain: the second branch never runs. */
import { ifChainsIn } from "../syntax/if-chains.ts";
import { isRepeatable } from "../syntax/operands.ts";
import { linesOf, nameOr, type TreeRule } from "../rule.ts";

/** A longer condition isn't compared. */
const MAX_CONDITION_CHARS = 300;

export const repeatedCondition: TreeRule = {
  kind: "tree",
  id: "repeated-condition",
  title: "Dead branch: an earlier one has the same condition",
  severity: "must-fix",
  category: "correctness",
  why: "When the condition holds, the earlier branch runs, so this one is dead code. The condition was probably copied and never edited.",
  fix: "Write the intended condition, or remove the branch.",
  languages: ["go", "rust", "c", "cpp", "java", "csharp", "ruby", "php"],
  trigger: /\belse\b|\belse?if\b/,
  *check(root, { language }) {
    for (const chain of ifChainsIn(root, language)) {
      const seen = new Map<string, number>();
      for (const { condition } of chain) {
        if (condition === null) continue;
        const { start, end } = condition.range();
        if (end.index - start.index > MAX_CONDITION_CHARS) continue;
        const text = condition.text();
        const line = seen.get(text);
        if (line === undefined) seen.set(text, start.line + 1);
        else if (isRepeatable(text))
          yield {
            ...linesOf(condition),
            also: [line],
            title: `Dead branch: ${nameOr(text, "its condition")} was already checked`,
            detail: `Line ${line} has the same condition.`,
          };
      }
    }
  },
};
