/** Request parameters turned into variables. A prefix keeps the program's own variables safe. */
import { withArguments } from "../syntax/pattern-parts.ts";
import type { PatternRule } from "../rule.ts";

export const phpExtractRequest: PatternRule = {
  kind: "pattern",
  id: "php-extract-request",
  title: "Variable injection: request parameters can overwrite any variable",
  severity: "must-fix",
  proof: "trace",
  category: "security",
  why: "Anyone can overwrite variables in this scope, such as `$isAdmin` or `$config`, by adding a parameter with that name.",
  fix: "Read the expected fields one by one.",
  languages: ["php"],
  trigger: /\b(?:extract|parse_str)\s*\(/,
  patterns: [
    {
      rule: {
        any: [
          {
            ...withArguments("function_call_expression", "^\\\\?extract$", {
              1: "^\\$_(?:GET|POST|REQUEST|COOKIE)$",
            }),
            not: { has: { field: "arguments", regex: "EXTR_(?:SKIP|PREFIX_ALL|PREFIX_SAME)" } },
          },
          {
            ...withArguments("function_call_expression", "^\\\\?parse_str$", { 1: "^\\$_SERVER\\[" }),
            not: withArguments("function_call_expression", "", { 2: "" }),
          },
        ],
      },
    },
  ],
};
