/** A quotient of two integers that becomes a fractional number: the fraction is already lost. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { asBinary, binariesIn, unwrapped } from "../syntax/operands.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const FRACTIONAL = /^(?:double|float|decimal|Double|Float)$/;
const COUNT = /\.(?:Count|Length|length|Count\(\)|length\(\)|size\(\))$/;

/** True when the operand is certainly a whole number. */
function isInteger(node: SyntaxNode): boolean {
  const inner = unwrapped(node);
  const text = inner.text();
  if (/^\d+$/.test(text) || COUNT.test(text)) return true;
  const binary = asBinary(inner);
  if (binary !== null)
    return /^[-+*]$/.test(binary.operator) && isInteger(binary.left) && isInteger(binary.right);
  if (!/^[a-z]\w{0,60}$/.test(text)) return false;
  const around = functionAround(node)?.text() ?? "";
  return (
    new RegExp(`\\b(?:int|long|short)\\s+${text}\\b`).test(around) &&
    !new RegExp(`\\b(?:double|float|decimal|var)\\s+${text}\\b`).test(around)
  );
}

/** `1000 / 10` of literals has no fraction to lose. */
function isExact(left: SyntaxNode, right: SyntaxNode): boolean {
  return (
    /^\d+$/.test(left.text()) &&
    /^\d+$/.test(right.text()) &&
    Number(left.text()) % Number(right.text()) === 0
  );
}

/** True when the value is declared, returned or cast as a fractional number. */
function becomesFractional(node: SyntaxNode): boolean {
  let inner = node;
  while (inner.parent()?.kind() === "parenthesized_expression") inner = inner.parent() ?? inner;
  const parent = inner.parent();
  switch (parent?.kind()) {
    case "variable_declarator":
      return FRACTIONAL.test(parent.parent()?.field("type")?.text() ?? "");
    case "cast_expression":
      return (
        inner.kind() === "parenthesized_expression" && FRACTIONAL.test(parent.field("type")?.text() ?? "")
      );
    case "return_statement": {
      const method = functionAround(parent);
      return FRACTIONAL.test((method?.field("returns") ?? method?.field("type"))?.text() ?? "");
    }
    default:
      return false;
  }
}

export const integerDivision: TreeRule = {
  kind: "tree",
  id: "integer-division",
  title: "Integer division loses the fraction before the result becomes fractional",
  severity: "major",
  category: "correctness",
  why: "Both operands are integers, so 7 / 2 gives 3. The conversion comes after the division.",
  fix: "Convert one operand first: `(double) a / b`.",
  confidence: 0.9,
  languages: ["csharp", "java"],
  inTests: false,
  trigger: /\w\)? ?\/ ?\(?\w/,
  *check(root, { language }): Iterable<RuleMatch> {
    for (const { node, left, right } of binariesIn(root, language, /^\/$/)) {
      if (becomesFractional(node) && isInteger(left) && isInteger(right) && !isExact(left, right))
        yield { line: linesOf(node).line };
    }
  },
  examples: {
    bad: [
      bad("A.cs", 3, "class A {\n  void Run(int done, int all) {\n    double share = done / all;\n  }\n}\n"),
      bad(
        "B.cs",
        3,
        "class B {\n  double Average(List<int> rows, int sum) {\n    return sum / rows.Count;\n  }\n}\n",
      ),
      bad("src/A.java", 3, "class A {\n  float half(int n) {\n    return (float) (n / 2);\n  }\n}\n"),
    ],
    good: [
      good(
        "A.cs",
        "class A {\n  void Run(int done, int all) {\n    double share = (double)done / all;\n    int half = all / 2;\n  }\n}\n",
      ),
      good("B.cs", "class B {\n  double Average(double sum, int n) {\n    return sum / n;\n  }\n}\n"),
      good(
        "src/A.java",
        "class A {\n  double half(int n) {\n    double ten = 100 / 10;\n    return n / 2.0;\n  }\n}\n",
      ),
    ],
  },
};
