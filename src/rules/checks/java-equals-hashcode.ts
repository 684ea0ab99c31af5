/** A class with `equals` and without `hashCode`. */
import { withFields } from "../syntax/pattern-parts.ts";
import type { PatternRule } from "../rule.ts";

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
};
