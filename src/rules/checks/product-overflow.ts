/** A product of int values that is stored as a long: it overflows before it is widened. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { asBinary, type Binary, binariesIn, chainOf, unwrapped } from "../syntax/operands.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const MAX_INT = 2_147_483_647;
const WIDE = /^(?:long|Long|Int64|ulong|UInt64)$/;
/** A smaller product stays in range for any value a program uses. */
const LARGE_FACTOR = 100_000;

function numberOf(node: SyntaxNode): number | null {
  const text = node.text().replaceAll("_", "");
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** True for the name of an int: a parameter or local of the function. */
function isInt(node: SyntaxNode): boolean {
  const name = node.text();
  if (!/^[a-z_]\w{0,60}$/.test(name)) return false;
  const around = functionAround(node)?.text() ?? "";
  return (
    new RegExp(`\\b(?:int|Integer|short)\\s+${name}\\b`).test(around) &&
    !new RegExp(`\\b(?:long|Long|double|float|decimal|var)\\s+${name}\\b`).test(around)
  );
}

/** True when the value of the expression becomes a long: a declaration, a return or a cast. */
function becomesLong(node: SyntaxNode): boolean {
  let inner = node;
  let parent = inner.parent();
  while (
    parent !== null &&
    (parent.kind() === "parenthesized_expression" || /^[-+]$/.test(asBinary(parent)?.operator ?? ""))
  ) {
    if (/currentTimeMillis\(\)|nanoTime\(\)|toEpochMilli\(\)/.test(parent.text())) return true;
    inner = parent;
    parent = inner.parent();
  }
  switch (parent?.kind()) {
    case "variable_declarator":
      return WIDE.test(parent.parent()?.field("type")?.text() ?? "");
    case "cast_expression":
      return inner.kind() === "parenthesized_expression" && WIDE.test(parent.field("type")?.text() ?? "");
    case "return_statement": {
      const method = functionAround(parent);
      return WIDE.test((method?.field("returns") ?? method?.field("type"))?.text() ?? "");
    }
    default:
      return false;
  }
}

/** True when the product certainly is an int, and large enough to leave the range. */
function overflows(binary: Binary): boolean {
  const { node } = binary;
  const factors = chainOf(binary);
  if (factors.length === 0) return false;
  let product = 1;
  let names = 0;
  for (const factor of factors) {
    const value = numberOf(factor);
    if (value === null && !isInt(factor)) return false;
    if (value === null) names++;
    product *= value ?? 1;
  }
  if (names === 0) return product > MAX_INT;
  const isCast = unwrapped(node) !== node || node.parent()?.kind() === "parenthesized_expression";
  return (
    product >= LARGE_FACTOR || (names > 1 && isCast && node.parent()?.parent()?.kind() === "cast_expression")
  );
}

export const productOverflow: TreeRule = {
  kind: "tree",
  id: "product-overflow",
  title: "Integer overflow: the product is an int before it becomes a long",
  severity: "major",
  category: "correctness",
  why: "Every factor is an int, so the product is computed with 32 bits. It wraps around above 2,147,483,647, and the conversion comes too late.",
  fix: "Make the first factor a long, such as `24L * 60 * 60 * 1000` or `(long) days * 86400`.",
  confidence: 0.9,
  languages: ["csharp", "java"],
  inTests: false,
  trigger: /\w\)? ?\* ?\(?\w/,
  *check(root, { language }): Iterable<RuleMatch> {
    for (const binary of binariesIn(root, language, /^\*$/)) {
      if (becomesLong(binary.node) && overflows(binary)) yield { line: linesOf(binary.node).line };
    }
  },
  examples: {
    bad: [
      bad(
        "src/Ttl.java",
        3,
        "class Ttl {\n  long ofDays(int days) {\n    long millis = days * 24 * 60 * 60 * 1000;\n    return millis;\n  }\n}\n",
      ),
      bad("src/Year.java", 2, "class Year {\n  static final long MILLIS = 365 * 24 * 60 * 60 * 1000;\n}\n"),
      bad(
        "Area.cs",
        3,
        "class Area {\n  long Of(int width, int height) {\n    return (long)(width * height);\n  }\n}\n",
      ),
      bad(
        "src/Expiry.java",
        3,
        "class Expiry {\n  long at(int hours) {\n    return System.currentTimeMillis() + hours * 3600 * 1000;\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/Ttl.java",
        "class Ttl {\n  static final long DAY = 24 * 60 * 60 * 1000;\n  long ofDays(int days) {\n    return days * 24L * 60 * 60 * 1000;\n  }\n}\n",
      ),
      good(
        "Area.cs",
        "class Area {\n  long Of(int width, int height) {\n    return (long)width * height;\n  }\n}\n",
      ),
      good(
        "src/Small.java",
        "class Small {\n  long twice(int n) {\n    long m = n * 2;\n    return m * 60 * 60 * 1000;\n  }\n}\n",
      ),
    ],
  },
};
