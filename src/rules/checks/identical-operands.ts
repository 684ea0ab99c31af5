/** The same expression on both sides of an operator, or twice in one condition: usually a copy that was never edited. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { asBinary, binariesIn, chainOf, isLiteral, isRepeatable, isSameCode } from "../syntax/operands.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

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
      const operands = chainOf(binary);
      const twice = repeatedOperand(operands) ?? absorbedOperand(operands);
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

/** The operand in `a || a && b` that says nothing: the second `a`. */
function absorbedOperand(operands: readonly SyntaxNode[]): SyntaxNode | null {
  const inner = operands.map((operand) => asBinary(operand));
  const single = new Map(operands.map((operand, at) => [inner[at] === null ? operand.text() : "", operand]));
  for (const binary of inner) {
    if (binary === null || !JOINING.test(binary.operator)) continue;
    for (const part of chainOf(binary)) {
      const text = part.text();
      if (!single.has(text) || isLiteral(part) || CONSTANT.test(text) || !isRepeatable(text)) continue;
      return part;
    }
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
};
