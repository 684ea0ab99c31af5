/** `strpos` and its relatives used as a condition: position 0 counts as not found. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** True when the position is taken as true or false, directly or by a loose comparison. */
function isTakenAsTruth(call: SyntaxNode): boolean {
  const around = call.parent();
  switch (around?.kind()) {
    case "parenthesized_expression":
      return /^(?:if|while|else_if|do)_(?:statement|clause)$/.test(around.parent()?.kind() ?? "");
    case "unary_op_expression":
      return around.text().startsWith("!");
    case "binary_expression": {
      const operator = around.children()[1]?.text() ?? "";
      if (/^(?:&&|\|\||and|or)$/.test(operator)) return true;
      return /^(?:==|!=|<>)$/.test(operator) && /\b(?:false|true)\b/i.test(around.text().slice(-8));
    }
    default:
      return false;
  }
}

export const phpStrposTruth: TreeRule = {
  kind: "tree",
  id: "php-strpos-truth",
  title: "Missed match: position 0 counts as not found",
  severity: "must-fix",
  category: "correctness",
  why: "The function gives 0 for a match at the start, and PHP takes 0 as false, so the condition is wrong for exactly that case.",
  fix: "Compare with `!== false`, or use `str_contains` or `str_starts_with`.",
  languages: ["php"],
  inTests: true,
  trigger: /\b(?:mb_)?str(?:r?i?pos)\s*\(|\barray_search\s*\(/i,
  *check(root): Iterable<RuleMatch> {
    for (const { node, name } of callsIn(root, "php", (called) =>
      /^(?:(?:mb_)?str(?:i|r|ri)?pos|array_search)$/i.test(called),
    )) {
      if (!isTakenAsTruth(node)) continue;
      yield {
        line: node.range().start.line + 1,
        title: `Missed match: ${nameOr(name, "the search")} is a condition, so position 0 counts as not found`,
      };
    }
  },
  examples: {
    bad: [
      bad("a.php", 2, "<?php\nif (strpos($name, 'admin')) { deny(); }\n"),
      bad("b.php", 2, "<?php\nif (!stripos($name, 'x') && $y) { run(); }\n"),
      bad("c.php", 2, "<?php\nif (strpos($name, 'x') == false) { run(); }\n"),
      bad("d.php", 2, "<?php\nif (array_search($id, $ids)) { run(); }\n"),
    ],
    good: [
      good("a.php", "<?php\nif (strpos($name, 'admin') !== false) { deny(); }\n"),
      good("b.php", "<?php\nif (strpos($name, 'x') === 0) { run(); }\n"),
      good("c.php", "<?php\n$at = strpos($name, 'x');\nif (strpos($name, 'x') > 0) { run(); }\n"),
      good("d.php", "<?php\nif (str_contains($name, 'x')) { run(); }\n"),
    ],
  },
};
