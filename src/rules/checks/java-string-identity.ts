/** Java strings compared with `==` or `!=`: with a literal, or a String variable with another value. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { factsOf } from "../file-facts.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

/** The literal and the other operand of a comparison; null when there is no literal, or only literals. */
function literalAndOther(left: SyntaxNode, right: SyntaxNode): readonly [SyntaxNode, SyntaxNode] | null {
  const [literal, other] = left.kind() === "string_literal" ? [left, right] : [right, left];
  if (literal.kind() !== "string_literal") return null;
  return /_literal$|^binary_expression$/.test(other.kind()) ? null : [literal, other];
}

/** Two values that can both be strings made at run time: a variable declared as String, and a variable or a call. */
function stringAndOther(
  left: SyntaxNode,
  right: SyntaxNode,
  isString: (node: SyntaxNode) => boolean,
): readonly [SyntaxNode, SyntaxNode] | null {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (!isString(one) || !/^(?:identifier|method_invocation|field_access)$/.test(other.kind())) continue;
    if (/[A-Z]{2}[A-Z_]*$|\bintern\(\)|^this$/.test(other.text())) continue;
    if (other.kind() === "identifier" && !isString(other)) continue;
    return [one, other];
  }
  return null;
}

/** `a == b || a.equals(b)`: the comparison by reference only saves time. */
function isShortcut(node: SyntaxNode): boolean {
  const around = functionAround(node);
  const name = around?.field("name")?.text() ?? "";
  return (
    /^(?:equals|same|identical|compare\w*)$/i.test(name) ||
    /\.(?:equals|compareTo|intern)\b/.test(lineOf(node)) ||
    // The author knows.
    /@SuppressWarnings/.test(around?.text().slice(0, 200) ?? "")
  );
}

function lineOf(node: SyntaxNode): string {
  const statement = nearestAncestor(node, (ancestor) => /statement$|declaration$/.test(ancestor.kind()));
  return (statement?.field("condition") ?? statement)?.text().slice(0, 400) ?? "";
}

export const javaStringIdentity: TreeRule = {
  kind: "tree",
  id: "java-string-identity",
  title: "Strings compared by reference instead of `equals`",
  severity: "must-fix",
  category: "correctness",
  why: "`==` and `!=` compare references, so equal strings that were read or built at run time compare as different.",
  fix: 'Use `"text".equals(value)`, or `Objects.equals(a, b)` if either can be null.',
  languages: ["java"],
  inTests: true,
  trigger: /[!=]=/,
  *check(root): Iterable<RuleMatch> {
    const facts = factsOf(root, "java");
    const isString = (node: SyntaxNode): boolean => {
      if (node.kind() !== "identifier") return false;
      const declared = new RegExp(`\\b(\\w+(?:<[^>]{0,80}>)?)(\\[\\])?\\s+${node.text()}\\s*[=;,):]`, "g");
      const types = [...facts.scopeText(node).matchAll(declared)].filter(([, type]) => type !== "return");
      return types.length === 1 && types[0]?.[1] === "String" && types[0][2] === undefined;
    };
    for (const node of root.findAll({ rule: { kind: "binary_expression" } })) {
      const operator = node.field("operator")?.text();
      const [left, right] = [node.field("left"), node.field("right")];
      if ((operator !== "==" && operator !== "!=") || left === null || right === null) continue;
      const [one, other] = literalAndOther(left, right) ?? stringAndOther(left, right, isString) ?? [];
      if (one === undefined || other === undefined) continue;
      if (one.kind() !== "string_literal" && isShortcut(node)) continue;
      const call = `${operator === "!=" ? "!" : ""}${one.text()}.equals(${other.text()})`;
      yield { line: node.range().start.line + 1, detail: `The comparison should be \`${call}\`.` };
    }
  },
};
