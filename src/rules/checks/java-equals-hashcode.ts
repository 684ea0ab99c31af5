/** A class with `equals` and without `hashCode`. */
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

export const javaEqualsHashcode: TreeRule = {
  kind: "tree",
  id: "java-equals-hashcode",
  title: "Missing `hashCode`: only `equals` is overridden",
  severity: "major",
  category: "correctness",
  why: "Equal objects get different hash codes, so a `HashMap` or `HashSet` doesn't find them and keeps duplicates.",
  fix: "Override `hashCode` with the same fields, for example `Objects.hash(…)`.",
  languages: ["java"],
  inTests: false,
  afterRemoval: true,
  trigger: /\bequals\s*\(\s*(?:final\s+)?(?:@\w+\s+)?Object\b/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "class_declaration" } })) {
      const methods = (node.field("body")?.namedChildren() ?? []).filter(
        (child) => child.kind() === "method_declaration",
      );
      const equals = methods.find(
        (method) =>
          method.field("name")?.text() === "equals" &&
          /^\(\s*(?:final\s+)?(?:@\w+\s+)?Object\s+\w+\s*\)$/.test(method.field("parameters")?.text() ?? ""),
      );
      if (equals === undefined || methods.some((method) => method.field("name")?.text() === "hashCode"))
        continue;
      // Annotations of Lombok and the like write the method; a parent class may have one that fits.
      if (
        /@(?:EqualsAndHashCode|Data|Value|AutoValue)\b/.test(node.text().slice(0, 400)) ||
        node.field("superclass") !== null
      )
        continue;
      const name = equals.field("name") ?? equals;
      yield {
        line: linesOf(name).line,
        missingIn: linesOf(node),
        title: `Missing \`hashCode\`: ${nameOr(node.field("name")?.text() ?? "", "the class")} overrides only \`equals\``,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/Point.java",
        3,
        "class Point {\n  int x;\n  public boolean equals(Object other) {\n    return other instanceof Point && ((Point) other).x == x;\n  }\n}\n",
      ),
      bad(
        "src/Name.java",
        3,
        "public final class Name {\n  @Override\n  public boolean equals(final Object o) { return o instanceof Name; }\n}\n",
      ),
    ],
    good: [
      good(
        "src/Point.java",
        "class Point {\n  int x;\n  public boolean equals(Object other) { return true; }\n  public int hashCode() { return x; }\n}\n",
      ),
      good("src/Other.java", "class Other {\n  boolean equals(Other other) { return true; }\n}\n"),
      good(
        "src/Child.java",
        "class Child extends Point {\n  public boolean equals(Object other) { return super.equals(other); }\n}\n",
      ),
    ],
  },
};
