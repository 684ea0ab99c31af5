/** The same condition twice in one `if … else if` chain: the second branch never runs. */
import { ifChainsIn } from "../syntax/if-chains.ts";
import { isRepeatable } from "../syntax/operands.ts";
import { bad, good, linesOf, nameOr, type TreeRule } from "../rule.ts";

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
  examples: {
    bad: [
      bad(
        "src/kind.go",
        6,
        "package a\n\nfunc kind(n int) string {\n\tif n > 10 {\n\t\treturn large\n\t} else if n > 10 {\n\t\treturn small\n\t}\n\treturn none\n}\n",
      ),
      bad(
        "src/kind.rs",
        2,
        "fn kind(n: i32) -> u8 {\n    if n == 1 { 1 } else if n == 2 { 2 } else if n == 1 { 3 } else { 4 }\n}\n",
      ),
      bad(
        "src/kind.c",
        3,
        "int kind(int n) {\n  if (n == 1) return 1;\n  else if (n == 1) return 2;\n  return 0;\n}\n",
      ),
      bad(
        "src/Kind.java",
        4,
        "class Kind {\n  int f(Item a) {\n    if (a.isOpen()) { return 1; }\n    else if (a.isOpen()) { return 2; }\n    return 0;\n  }\n}\n",
      ),
      bad("lib/kind.rb", 4, "def kind(n)\n  if n == 1\n    :a\n  elsif n == 1\n    :b\n  end\nend\n"),
      bad(
        "src/kind.php",
        3,
        "<?php\nfunction kind($n) {\n  if ($n === 1) { return 1; } elseif ($n === 1) { return 2; }\n}\n",
      ),
    ],
    good: [
      good(
        "src/kind.go",
        "package a\n\nfunc kind(n int) {\n\tif err := a(); err != nil {\n\t\tuse(err)\n\t} else if err := b(); err != nil {\n\t\tuse(err)\n\t}\n\tif n > 1 {\n\t\ta()\n\t}\n\tif n > 1 {\n\t\tb()\n\t}\n}\n",
      ),
      good(
        "src/kind.c",
        "int kind(struct parser *p) {\n  if (next(p)) return 1;\n  else if (next(p)) return 2;\n  return 0;\n}\n",
      ),
      good(
        "lib/kind.rb",
        "def kind(n)\n  if n == 1\n    :a\n  elsif n == 2\n    :b\n  else\n    :c\n  end\nend\n",
      ),
    ],
  },
};
