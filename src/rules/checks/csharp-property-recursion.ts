/** A C# property that reads or sets itself. */
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

export const csharpPropertyRecursion: TreeRule = {
  kind: "tree",
  id: "csharp-property-recursion",
  title: "Infinite recursion: the property calls itself",
  severity: "must-fix",
  category: "correctness",
  why: "The accessor uses the property instead of its field, so it calls itself until the process stops.",
  fix: "Use the field behind the property.",
  languages: ["csharp"],
  inTests: false,
  trigger: /\b(?:get|set)\b|=>/,
  *check(root): Iterable<RuleMatch> {
    for (const property of root.findAll({ rule: { kind: "property_declaration" } })) {
      const name = property.field("name")?.text() ?? "";
      if (!/^\w{1,60}$/.test(name)) continue;
      const own = `(?:this\\.)?${name}`;
      const calls = new RegExp(
        `\\bget\\s*(?:=>|\\{\\s*return\\b)\\s*${own}\\s*;|\\bset\\s*(?:=>|\\{)\\s*${own}\\s*=\\s*value\\s*;|^[^{]{0,300}\\b${name}\\s*=>\\s*${own}\\s*;`,
      );
      const found = calls.exec(property.text());
      if (found === null) continue;
      const before = property.text().slice(0, found.index + found[0].length);
      yield {
        line: property.range().start.line + before.split("\n").length,
        title: `Infinite recursion: the property ${nameOr(name, "here")} calls itself`,
      };
    }
  },
  examples: {
    bad: [
      bad("A.cs", 2, "class A {\n  public int Total { get { return Total; } }\n}\n"),
      bad(
        "B.cs",
        4,
        "class B {\n  public int Total {\n    get => _total;\n    set => Total = value;\n  }\n}\n",
      ),
      bad("C.cs", 2, "class C {\n  public string Name => Name;\n}\n"),
    ],
    good: [
      good("A.cs", "class A {\n  public int Total { get { return _total; } set { _total = value; } }\n}\n"),
      good("B.cs", "class B {\n  public Color Color => Color.Red;\n  public int N { get; set; }\n}\n"),
      good("C.cs", "class C {\n  public string Name => _inner.Name;\n}\n"),
    ],
  },
};
