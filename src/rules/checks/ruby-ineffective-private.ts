/** `private` before `def self.x`: it only applies to instance methods. */
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

export const rubyIneffectivePrivate: TreeRule = {
  kind: "tree",
  id: "ruby-ineffective-private",
  title: "Ineffective `private`: a method with `def self.` stays public",
  severity: "medium",
  category: "maintainability",
  why: "`private` and `protected` apply to instance methods only, so other code can call the method although it looks private.",
  fix: "Put the method in `class << self` below its own `private`, or add `private_class_method :name`.",
  languages: ["ruby"],
  inTests: false,
  trigger: /\bdef\s+self\.|^\s*(?:private|protected)\s*$/m,
  *check(root): Iterable<RuleMatch> {
    const isHidden = (name: string): boolean =>
      new RegExp(`private_class_method[^\\n]{0,200}:${name.replaceAll(/[?!=]/g, "\\$&")}(?![\\w?!])`).test(
        root.text(),
      );
    for (const body of root.findAll({ rule: { kind: "body_statement" } })) {
      if (!/^(?:class|module)$/.test(body.parent()?.kind() ?? "")) continue;
      let access: string | null = null;
      for (const child of body.namedChildren()) {
        if (child.kind() === "identifier" && /^(?:private|protected|public)$/.test(child.text()))
          access = child.text();
        if (child.kind() !== "singleton_method" || access === null || access === "public") continue;
        const name = child.field("name")?.text() ?? "";
        if (isHidden(name)) continue;
        yield {
          line: child.range().start.line + 1,
          title: `Ineffective \`${access}\`: ${nameOr(`self.${name}`, "the class method")} stays public`,
        };
      }
    }
  },
  examples: {
    bad: [
      bad("app/models/key.rb", 4, "class Key\n  private\n\n  def self.secret\n    1\n  end\nend\n"),
      bad("lib/a.rb", 7, "class A\n  def b\n  end\n\n  protected\n\n  def self.c\n  end\nend\n"),
    ],
    good: [
      good(
        "app/models/key.rb",
        "class Key\n  def self.secret\n    1\n  end\n\n  private\n\n  def a\n  end\nend\n",
      ),
      good("lib/a.rb", "class A\n  private\n\n  def self.b\n  end\n  private_class_method :b\nend\n"),
      good("lib/b.rb", "class B\n  class << self\n    private\n\n    def b\n    end\n  end\nend\n"),
    ],
  },
};
