/** A `return` in a `finally` or `ensure` block, which discards the exception. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { functionKindsOf } from "../syntax/function-kinds.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const [block, kind] = language === "ruby" ? ["ensure", "return"] : ["finally_clause", "return_statement"];
  const functions = new Set([...functionKindsOf(language), "block", "do_block", "lambda"]);
  const isBoundary = (node: SyntaxNode): boolean =>
    language === "ruby" ? functions.has(node.kind()) : functions.has(node.kind()) && node.kind() !== "block";
  for (const node of root.findAll({ rule: { kind, inside: { kind: block, stopBy: "end" } } })) {
    if (!node.isNamed()) continue;
    const around = nearestAncestor(node, (ancestor) => ancestor.kind() === block || isBoundary(ancestor));
    if (around?.kind() === block) yield { line: linesOf(node).line };
  }
}

export const returnInFinally: TreeRule = {
  kind: "tree",
  id: "return-in-finally",
  title: "Lost exception: `return` in a cleanup block discards it",
  severity: "major",
  category: "correctness",
  why: "If the guarded code throws, the return replaces the exception, so the caller gets a normal result and the error is lost.",
  fix: "Move the return after the block, and only clean up inside it.",
  languages: ["java", "php", "ruby"],
  inTests: false,
  trigger: /\breturn\b|\bfinally\b|\bensure\b/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad(
        "src/Save.java",
        6,
        "class Save {\n  boolean f() {\n    try {\n      write();\n    } finally {\n      return true;\n    }\n  }\n}\n",
      ),
      bad("src/save.php", 3, "<?php\nfunction save() {\n  try { write(); } finally { return true; }\n}\n"),
      bad("lib/save.rb", 4, "def save\n  write\nensure\n  return true\nend\n"),
    ],
    good: [
      good(
        "src/Save.java",
        "class Save {\n  boolean f() {\n    try {\n      return write();\n    } finally {\n      all.forEach(one -> { return; });\n      close();\n    }\n  }\n}\n",
      ),
      good("src/save.php", "<?php\nfunction save() {\n  try { return write(); } finally { close(); }\n}\n"),
      good("lib/save.rb", "def save\n  return write\nensure\n  close\nend\n"),
    ],
  },
};
