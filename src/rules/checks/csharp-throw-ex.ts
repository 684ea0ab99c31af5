/** `throw ex;` of the caught exception, which resets its stack trace. */
import { anyKind } from "../syntax/pattern-parts.ts";
import type { PatternRule } from "../rule.ts";

/** Inside these, a bare `throw;` wouldn't compile or would rethrow another exception. */
const OWN_SCOPE =
  "catch_clause finally_clause lambda_expression anonymous_method_expression local_function_statement";

export const csharpThrowEx: PatternRule = {
  kind: "pattern",
  id: "csharp-throw-ex",
  title: "Lost stack trace: `throw ex` resets it",
  severity: "medium",
  category: "reliability",
  why: "The stack trace then starts at this line, so logs no longer show where the exception was thrown.",
  fix: "Use `throw;` to rethrow the exception with its original stack trace.",
  languages: ["csharp"],
  trigger: /\bthrow\s+\w+\s*;/,
  patterns: [
    {
      rule: {
        pattern: "throw $CAUGHT;",
        inside: {
          kind: "catch_clause",
          all: [
            { has: { kind: "catch_declaration", has: { field: "name", pattern: "$CAUGHT" } } },
            { not: { has: { pattern: "$CAUGHT = $_", stopBy: "end" } } },
          ],
          stopBy: anyKind(OWN_SCOPE),
        },
      },
      constraints: { CAUGHT: { kind: "identifier" } },
      replacement: "throw;",
    },
  ],
};
