/** C# classes that override `Equals` and not `GetHashCode`. */
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

export const csharpEqualsWithoutHash: TreeRule = {
  kind: "tree",
  id: "csharp-equals-without-hash",
  title: "Missing `GetHashCode`: dictionaries and sets lose the object",
  severity: "major",
  category: "correctness",
  why: "Two equal objects then have different hash codes, so a dictionary or set doesn't find one by the other.",
  fix: "Override `GetHashCode` from the same fields, for example with `HashCode.Combine`, or use a record.",
  languages: ["csharp"],
  inTests: false,
  afterRemoval: true,
  trigger: /\bEquals\s*\(|\bGetHashCode\b/,
  *check(root): Iterable<RuleMatch> {
    for (const method of root.findAll({
      rule: { kind: "method_declaration", all: [{ has: { field: "name", regex: "^Equals$" } }] },
    })) {
      const modifiers = method.children().filter((child) => child.kind() === "modifier");
      if (!modifiers.some((modifier) => modifier.text() === "override")) continue;
      const type = method.parent()?.parent();
      if (type === null || type === undefined || !/^(?:class|struct)_declaration$/.test(type.kind()))
        continue;
      const text = type.text();
      // The other part of a partial class may have it.
      if (/\bGetHashCode\s*\(/.test(text) || /^[^{]{0,500}\bpartial\b/.test(text)) continue;
      yield {
        line: (method.field("name") ?? method).range().start.line + 1,
        missingIn: linesOf(type),
        title: `Missing \`GetHashCode\`: ${nameOr(type.field("name")?.text() ?? "", "the class")} overrides only \`Equals\`, so sets lose its objects`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "Point.cs",
        3,
        "class Point {\n  public int X;\n  public override bool Equals(object? o) => o is Point p && p.X == X;\n}\n",
      ),
      bad(
        "Money.cs",
        2,
        "struct Money {\n  public override bool Equals(object o) { return o is Money m && m.Cents == Cents; }\n}\n",
      ),
    ],
    good: [
      good(
        "Point.cs",
        "class Point {\n  public override bool Equals(object? o) => o is Point p && p.X == X;\n  public override int GetHashCode() => X;\n}\n",
      ),
      good("Typed.cs", "class Typed {\n  public bool Equals(Typed o) => o.X == X;\n}\n"),
      good(
        "Part.cs",
        "partial class Part {\n  public override bool Equals(object? o) => o is Part p && p.X == X;\n}\n",
      ),
    ],
  },
};
