/** A Ruby method defined twice in the same class body. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Code between two definitions that keeps the first one or removes it on purpose. */
const KEEPS_FIRST =
  /\b(?:alias|alias_method|alias_method_chain|undef|undef_method|remove_method|silence_redefinition_of_method|redefine_method|memoize|prepend|deprecate)\b/;

/** `def a`, or `private def a`. */
function definedBy(node: SyntaxNode): SyntaxNode | null {
  if (/^(?:singleton_)?method$/.test(node.kind())) return node;
  if (node.kind() !== "call" || !/^(?:private|public|protected|private_class_method)\s/.test(node.text()))
    return null;
  const [only] = node.field("arguments")?.namedChildren() ?? [];
  return only !== undefined && /^(?:singleton_)?method$/.test(only.kind()) ? only : null;
}

export const rubyDuplicateMethod: TreeRule = {
  kind: "tree",
  id: "ruby-duplicate-method",
  title: "Duplicate method: the first definition never runs",
  severity: "major",
  category: "correctness",
  why: "Ruby replaces the first definition without an error, so its code is lost.",
  fix: "Rename one of the two, or remove the one that isn't needed.",
  languages: ["ruby"],
  inTests: true,
  trigger: /\bdef\s/,
  *check(root): Iterable<RuleMatch> {
    for (const body of root.findAll({ rule: { kind: "body_statement" } })) {
      if (!/^(?:class|module|singleton_class)$/.test(body.parent()?.kind() ?? "")) continue;
      const known = new Map<string, SyntaxNode>();
      for (const child of body.namedChildren()) {
        const method = definedBy(child);
        if (method === null) {
          if (KEEPS_FIRST.test(child.text().slice(0, 200))) known.clear();
          continue;
        }
        const own = method.field("name")?.text() ?? "";
        const name = method.kind() === "singleton_method" ? `self.${own}` : own;
        const first = known.get(name);
        if (first !== undefined && !KEEPS_FIRST.test(method.text().slice(0, 500))) {
          yield {
            line: method.range().start.line + 1,
            also: [first.range().start.line + 1],
            title: `Duplicate method: the first definition of ${nameOr(name.replace(/[?!=]$/, ""), "it")} never runs`,
            detail: `The first one is on line ${first.range().start.line + 1}.`,
          };
        }
        known.set(name, method);
      }
    }
  },
};
