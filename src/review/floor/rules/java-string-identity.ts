/** Java strings compared with `==` or `!=`. Only comparisons with a literal are reported. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

/** The literal and the other operand of a comparison; null when there is no literal, or only literals. */
function literalAndOther(node: SyntaxNode): { literal: SyntaxNode; other: SyntaxNode } | null {
  const [left, right] = [node.field("left"), node.field("right")];
  if (left === null || right === null) return null;
  const [literal, other] = left.kind() === "string_literal" ? [left, right] : [right, left];
  if (literal.kind() !== "string_literal") return null;
  return /_literal$|^binary_expression$/.test(other.kind()) ? null : { literal, other };
}

export const javaStringIdentity: TreeRule = {
  kind: "tree",
  id: "java-string-identity",
  title: "Strings compared by reference instead of `equals`",
  severity: "must-fix",
  category: "correctness",
  why: "`==` and `!=` compare references, so equal strings that were read or built at run time compare as different.",
  fix: 'Use `"text".equals(value)`.',
  languages: ["java"],
  inTests: true,
  trigger: /[!=]=\s*"|"\s*[!=]=/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "binary_expression" } })) {
      const operator = node.field("operator")?.text();
      if (operator !== "==" && operator !== "!=") continue;
      const found = literalAndOther(node);
      if (found === null) continue;
      const call = `${operator === "!=" ? "!" : ""}${found.literal.text()}.equals(${found.other.text()})`;
      yield { line: node.range().start.line + 1, detail: `The comparison should be \`${call}\`.` };
    }
  },
  examples: {
    bad: [
      bad(
        "src/Order.java",
        3,
        'class Order {\n  boolean isOpen(String state) {\n    return state == "open";\n  }\n}\n',
      ),
      bad(
        "src/Order.java",
        3,
        'class Order {\n  void close() {\n    if ("open" != this.state()) return;\n  }\n}\n',
      ),
    ],
    good: [
      good(
        "src/Order.java",
        'class Order {\n  boolean isOpen(String state) {\n    return state != null && "open".equals(state);\n  }\n}\n',
      ),
      good(
        "src/Order.java",
        "class Order {\n  boolean isOpen(char state) {\n    return state == 'o';\n  }\n}\n",
      ),
      good("src/Order.java", 'class Order {\n  // state == "open"\n  String text = "a == \\"b\\"";\n}\n'),
    ],
  },
};
