/** The same expression on both sides of an operator, or twice in one condition: usually a copy that was never edited. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { binariesIn, chainOf, isLiteral, isRepeatable, isSameCode } from "../syntax/operands.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const COMPARING = /^(?:===?|!==?|<=?|>=?|<=>)$/;
const JOINING = /^(?:&&|\|\||and|or)$/;
const OPERATORS = /^(?:===?|!==?|<=?|>=?|<=>|&&|\|\||and|or|-|\/|%|\^)$/;

/** Macros and constants depend on the build. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** `x != x` tells whether a number is NaN. */
function isNanTest(operator: string, text: string): boolean {
  return /^[!=]==?$/.test(operator) && /^[\w$*]+$/.test(text);
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const binary of binariesIn(root, language, OPERATORS)) {
    if (JOINING.test(binary.operator)) {
      const twice = repeatedOperand(chainOf(binary));
      if (twice !== null)
        yield {
          ...linesOf(twice),
          title: `Identical operands: the condition checks ${nameOr(twice.text(), "the same expression")} twice`,
        };
      continue;
    }
    const { left, right, operator, node } = binary;
    if (!isSameCode(left, right) || isLiteral(left) || CONSTANT.test(left.text())) continue;
    if (isNanTest(operator, left.text()) && (operator.startsWith("!") || isFloatTest(node))) continue;
    if (!isRepeatable(left.text()) || node.text().includes("\n")) continue;
    const always = COMPARING.test(operator) ? "compared with itself" : `on both sides of \`${operator}\``;
    yield {
      ...linesOf(node),
      title: `Identical operands: ${nameOr(left.text(), "the same expression")} is ${always}`,
    };
  }
}

/** `x == x` inside a function about NaN or floating point. */
function isFloatTest(node: SyntaxNode): boolean {
  return /nan|float|double/i.test(functionAround(node)?.text() ?? "");
}

/** The second of two equal operands. */
function repeatedOperand(operands: readonly SyntaxNode[]): SyntaxNode | null {
  const seen = new Set<string>();
  for (const operand of operands) {
    const text = operand.text();
    if (seen.has(text) && !isLiteral(operand) && !CONSTANT.test(text) && isRepeatable(text)) return operand;
    seen.add(text);
  }
  return null;
}

export const identicalOperands: TreeRule = {
  kind: "tree",
  id: "identical-operands",
  title: "Identical operands: the same expression is on both sides of an operator",
  severity: "major",
  category: "correctness",
  why: "The result doesn't depend on the value, so the check or calculation does nothing. One side was probably meant to be something else.",
  fix: "Replace one side with the intended expression, or remove the operation.",
  languages: ["go", "rust", "c", "cpp", "java", "csharp", "ruby", "php"],
  trigger: /[=!<>]=|[<>]|&&|\|\||\b(?:and|or)\b|[-/%^]/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad(
        "src/range.go",
        4,
        "package a\n\nfunc same(a, b Point) bool {\n\treturn a.X == b.X && a.Y == a.Y\n}\n",
      ),
      bad(
        "src/Range.java",
        3,
        "class Range {\n  boolean has(int from, int to) {\n    return from > 0 && from > 0;\n  }\n}\n",
      ),
      bad("src/width.rs", 2, "fn width(area: &Area) -> u32 {\n    area.right - area.right\n}\n"),
      bad("src/width.c", 2, "int equal(struct point *a) {\n  return a->x == a->x;\n}\n"),
      bad(
        "src/Order.cs",
        3,
        "class Order {\n  bool Same(Order a, Order b) {\n    return a.GetId() == a.GetId();\n  }\n}\n",
      ),
      bad("lib/order.rb", 2, "def ready?(order)\n  order.paid && order.paid\nend\n"),
      bad("src/order.php", 3, "<?php\nfunction same($a, $b) {\n  return $a->id === $a->id;\n}\n"),
    ],
    good: [
      good("src/nan.c", "int is_nan(double value) {\n  return value != value;\n}\n"),
      good("src/read.go", "package a\n\nfunc pair(r Reader) bool {\n\treturn r.Next() == r.Next()\n}\n"),
      good("src/flags.c", "#define A 1\n#define B A\nint f(int n) {\n  return B - B + n * n + n;\n}\n"),
      good(
        "src/Order.java",
        "class Order {\n  boolean f(int a, int b) {\n    return a == b || b == a + a;\n  }\n}\n",
      ),
      good("lib/order.rb", "def f(list)\n  list.shift == list.shift\nend\n"),
    ],
  },
};
