/** A length or count compared with zero in a way that is always true or always false. */
import { binariesIn } from "../syntax/operands.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const JAVASCRIPT = /[\w)\]]\??\.(?:length|size)$/;

const LENGTH: Readonly<Record<string, RegExp>> = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  go: /^len\([^()]{1,80}\)$/,
  rust: /\.(?:len|count)\(\)$/,
  c: /^(?:strlen|sizeof)\s*\([^()]{1,80}\)$/,
  cpp: /^(?:std::)?strlen\([^()]{1,80}\)$|(?:\.|->)(?:size|length)\(\)$/,
  java: /\.(?:length|size\(\)|length\(\))$/,
  csharp: /\.(?:Length|Count|Count\(\))$/,
  ruby: /\.(?:length|size|count)$/,
  php: /^(?:count|strlen|mb_strlen|sizeof)\([^()]{1,80}\)$/,
};

/** A longer operand isn't a plain length. */
const MAX_CHARS = 120;

export const lengthNeverNegative: TreeRule = {
  kind: "tree",
  id: "length-never-negative",
  title: "Constant comparison: a length is never negative",
  severity: "must-fix",
  category: "correctness",
  why: "Lengths and counts are at least 0. The check passes or fails for every value, so an empty collection isn't detected.",
  fix: "Compare with `> 0`, `== 0` or the language's own test for empty.",
  languages: ["javascript", "typescript", "tsx", "go", "rust", "c", "cpp", "java", "csharp", "ruby", "php"],
  inTests: false,
  trigger: /(?:>=|<)\s*0\b/,
  *check(root, { language }): Iterable<RuleMatch> {
    for (const { node, operator, left, right } of binariesIn(root, language, /^(?:<|>=)$/)) {
      if (right.text() !== "0") continue;
      const { start, end } = left.range();
      if (end.index - start.index > MAX_CHARS || LENGTH[language]?.test(left.text()) !== true) continue;
      yield {
        ...linesOf(node),
        title: `Constant comparison: a length is never negative, so \`${operator} 0\` is always ${operator === "<" ? "false" : "true"}`,
      };
    }
  },
  examples: {
    bad: [
      bad("a.ts", 1, "if (rows.length >= 0) show(rows);\n"),
      bad("src/check.go", 4, "package a\n\nfunc check(items []int) bool {\n\treturn len(items) >= 0\n}\n"),
      bad(
        "src/Check.java",
        3,
        "class Check {\n  boolean f(List<Item> items) {\n    return items.size() < 0;\n  }\n}\n",
      ),
      bad("src/check.rs", 2, "fn check(items: &[i32]) -> bool {\n    items.len() >= 0\n}\n"),
      bad("src/check.php", 3, "<?php\nfunction check($items) {\n  return count($items) >= 0;\n}\n"),
      bad(
        "src/Check.cs",
        3,
        "class Check {\n  bool F(List<int> items) {\n    return items.Count < 0;\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/check.go",
        "package a\n\nfunc check(items []int, n int) bool {\n\treturn len(items) > 0 || len(items)-n >= 0 || n >= 0\n}\n",
      ),
      good(
        "src/Check.java",
        "class Check {\n  boolean f(Item item) {\n    return item.length > 0 || 0 < item.size();\n  }\n}\n",
      ),
      good("src/check.rs", "fn check(items: &[i32], n: i32) -> bool {\n    items.len() > 0 && n >= 0\n}\n"),
    ],
  },
};
