/** A class with `equals` and without `hashCode`. */
import { withFields } from "../syntax/pattern-parts.ts";
import { bad, good, type PatternRule } from "../rule.ts";

const ANNOTATED = "(?s)^.{0,390}@(?:EqualsAndHashCode|Data|Value|AutoValue)\\b";

export const javaEqualsHashcode: PatternRule = {
  kind: "pattern",
  id: "java-equals-hashcode",
  title: "Missing `hashCode`: only `equals` is overridden",
  severity: "major",
  category: "correctness",
  why: "Equal objects get different hash codes, so a `HashMap` or `HashSet` doesn't find them and keeps duplicates.",
  fix: "Override `hashCode` with the same fields, for example `Objects.hash(…)`.",
  languages: ["java"],
  afterRemoval: true,
  trigger: /\bequals\s*\(\s*(?:final\s+)?(?:@\w+\s+)?Object\b/,
  patterns: [
    {
      rule: {
        ...withFields("method_declaration", {
          name: "^equals$",
          parameters: "^\\(\\s*(?:final\\s+)?(?:@\\w+\\s+)?Object\\s+\\w+\\s*\\)$",
        }),
        has: { field: "name", pattern: "$NAME" },
        inside: {
          kind: "class_body",
          not: { has: withFields("method_declaration", { name: "^hashCode$" }) },
          inside: {
            ...withFields("class_declaration", { name: "$TYPE" }),
            pattern: "$CLASS",
            // Annotations of Lombok and the like write the method; a parent class may have one that fits.
            not: { any: [{ regex: ANNOTATED }, withFields("class_declaration", { superclass: "" })] },
          },
        },
      },
      at: "NAME",
      missingIn: "CLASS",
      title: "Missing `hashCode`: {TYPE|the class} overrides only `equals`",
    },
  ],
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
