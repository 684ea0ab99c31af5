/** `flags & MASK == value` and `!flags & MASK`, which the compiler reads differently than people. */
import { asBinary, binariesIn } from "../syntax/operands.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

export const cBitPrecedence: TreeRule = {
  kind: "tree",
  id: "c-bit-precedence",
  title: "Wrong precedence: a comparison or `!` binds tighter than `&`",
  severity: "must-fix",
  category: "correctness",
  why: "`a & MASK == b` means `a & (MASK == b)`, and `!a & MASK` means `(!a) & MASK`, so the test looks at the wrong bits.",
  fix: "Add parentheses: `(a & MASK) == b`, `!(a & MASK)`.",
  languages: ["c", "cpp"],
  inTests: false,
  trigger: /[^&]&[^&]|[^|]\|[^|]|\^/,
  *check(root, { language }): Iterable<RuleMatch> {
    for (const { node, operator, left, right } of binariesIn(root, language, /^[&|^]$/)) {
      const compared = [left, right]
        .map(asBinary)
        .find((side) => side !== null && /^[=!]=$/.test(side.operator));
      const isNegated =
        operator === "&" &&
        left.kind() === "unary_expression" &&
        /^!\s*[\w.>[\]-]+$/.test(left.text()) &&
        isMask(right.text());
      // Flags that are compared one by one are often joined with a single `&` or `|` on purpose.
      const isBoth = asBinary(left) !== null && asBinary(right) !== null;
      const bits = asBinary(left) === null ? left : right;
      if (
        compared !== undefined &&
        compared !== null &&
        !isBoth &&
        /^[\w.>[\]-]+$/.test(bits.text()) &&
        isValue(compared.left.text())
      )
        yield {
          line: linesOf(node).line,
          title: `Wrong precedence: \`${operator}\` is applied to the result of \`${compared.operator}\``,
        };
      else if (isNegated)
        yield {
          line: linesOf(node).line,
          title: `Wrong precedence: ${nameOr(left.text(), "a negated value")} is 0 or 1 before \`&\` is applied`,
        };
    }
  },
  examples: {
    bad: [
      bad("src/flags.c", 2, "int is_set(int flags) {\n  return flags & FLAG_OPEN == FLAG_OPEN;\n}\n"),
      bad("src/flags.cpp", 2, "bool closed(const State &s) {\n  return !s.flags & FLAG_OPEN;\n}\n"),
    ],
    good: [
      good(
        "src/flags.c",
        "int is_set(int flags, int a, int b) {\n  return (flags & FLAG_OPEN) == FLAG_OPEN && !(flags & FLAG_SEEN) && ((a == 1) & (b == 2));\n}\n",
      ),
      good("src/bool.c", "int f(int a, int b) {\n  return !a & !b;\n}\n"),
      good("src/or.c", "int f(int a, int b) {\n  return a == 1 || b == 2;\n}\n"),
    ],
  },
};

/** A constant, as masks are. */
function isMask(text: string): boolean {
  return /^(?:[A-Z][A-Z0-9_]+|0x[0-9a-fA-F]+|\d+)$/.test(text);
}

function isValue(text: string): boolean {
  return /^(?:[\w.>[\]-]+)$/.test(text);
}
