/** A Ruby method defined twice in the same class body. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

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
  examples: {
    bad: [
      bad("a.rb", 4, "class A\n  def total; 1; end\n\n  def total\n    2\n  end\nend\n"),
      bad("b.rb", 6, "module B\n  def self.all\n    1\n  end\n\n  def self.all\n    2\n  end\nend\n"),
      bad("c.rb", 4, "class C\n  def a; 1; end\n\n  private def a\n    2\n  end\nend\n"),
      bad(
        "test/d_test.rb",
        4,
        "class DTest\n  def test_a; check 1; end\n\n  def test_a\n    check 2\n  end\nend\n",
      ),
    ],
    good: [
      good("a.rb", "class A\n  def total\n    1\n  end\n\n  def self.total\n    2\n  end\nend\n"),
      good(
        "b.rb",
        "class B\n  def total\n    1\n  end\n  alias_method :old_total, :total\n\n  def total\n    old_total + 1\n  end\nend\n",
      ),
      good(
        "c.rb",
        "class C\n  if NEW\n    def a\n      1\n    end\n  else\n    def a\n      2\n    end\n  end\nend\n",
      ),
      good("d.rb", "class D\n  def a; end\nend\n\nclass E\n  def a; end\nend\n"),
      good("e.rb", "class E\n  def a=(value)\n    @a = value\n  end\n\n  def a\n    @a\n  end\nend\n"),
    ],
  },
};
