/** A single `=` where a condition needs `==`. Assignments of a call's result in a condition are a common idiom and ignored. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asBinary, isLiteral, unwrapped } from "../syntax/operands.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  c: ["if_statement", "while_statement", "do_statement"],
  cpp: ["if_statement", "while_statement", "do_statement"],
  java: ["if_statement", "while_statement", "do_statement"],
  csharp: ["if_statement", "while_statement", "do_statement"],
  ruby: ["if", "elsif", "unless", "while", "if_modifier", "unless_modifier"],
  php: ["if_statement", "else_if_clause", "while_statement"],
};

/** The condition, and the operands of `&&` and `||` in it. */
function* operandsOf(condition: SyntaxNode): Iterable<SyntaxNode> {
  const open = [condition];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner = unwrapped(next);
    const binary = asBinary(inner);
    if (binary !== null && /^(?:&&|\|\||and|or)$/.test(binary.operator)) open.push(binary.left, binary.right);
    else yield next;
  }
}

function isSuspect(operand: SyntaxNode, language: string): SyntaxNode | null {
  const assignment = unwrapped(operand);
  if (!/^assignment(?:_expression)?$/.test(assignment.kind())) return null;
  const [left, operator, right] = assignment.children();
  if (left === undefined || right === undefined || operator?.text() !== "=") return null;
  if (isLiteral(right) || /^(?:NULL|nullptr|true|false|null|nil)$/i.test(right.text())) return assignment;
  // Two pairs of parentheses are how C says that the assignment is meant.
  const isDoubled = operand.text().startsWith("((");
  const isName = /^\$?[A-Za-z_]\w*$/.test(right.text());
  return isName && !isDoubled && left.kind() !== "pointer_expression" && /^(?:c|cpp|php)$/.test(language)
    ? assignment
    : null;
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const kinds = CONDITIONS[language] ?? [];
  for (const node of root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })) {
    const condition = node.field("condition");
    if (condition === null) continue;
    for (const operand of operandsOf(condition)) {
      const assignment = isSuspect(operand, language);
      if (assignment === null) continue;
      const name = nameOr(assignment.children()[0]?.text() ?? "", "a variable");
      const isCertain = isLiteral(assignment.children()[2] ?? assignment);
      const severity = isCertain ? "must-fix" : "major";
      yield {
        ...linesOf(assignment),
        severity,
        title: `Assignment in a condition: ${name} is assigned instead of compared`,
      };
    }
  }
}

export const assignmentInCondition: TreeRule = {
  kind: "tree",
  id: "assignment-in-condition",
  title: "Assignment in a condition instead of a comparison",
  severity: "must-fix",
  category: "correctness",
  why: "`=` overwrites the variable, and the condition has the same result every time.",
  fix: "Compare with `==`. If the assignment is meant, put it before the condition.",
  languages: ["c", "cpp", "java", "csharp", "ruby", "php"],
  trigger: /\b(?:if|elsif|elseif|while|unless)\b[^\n]*[^=!<>]=[^=]/,
  check: (root, { language }) => check(root, language),
};
