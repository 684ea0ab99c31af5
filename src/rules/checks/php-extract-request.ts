/** Request parameters turned into variables. A prefix keeps the program's own variables safe. */
import { withArguments } from "../syntax/pattern-parts.ts";
import { bad, good, type PatternRule } from "../rule.ts";

export const phpExtractRequest: PatternRule = {
  kind: "pattern",
  id: "php-extract-request",
  title: "Variable injection: request parameters can overwrite any variable",
  severity: "must-fix",
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
  examples: {
    bad: [
      bad("index.php", 2, "<?php\nextract($_POST);\n"),
      bad("index.php", 2, "<?php\nextract($_REQUEST, EXTR_OVERWRITE);\n"),
      bad("index.php", 2, "<?php\nparse_str($_SERVER['QUERY_STRING']);\n"),
    ],
    good: [
      good("index.php", "<?php\nextract($_GET, EXTR_PREFIX_ALL, 'in');\nextract($defaults);\n"),
      good("index.php", "<?php\nparse_str($_SERVER['QUERY_STRING'], $query);\n"),
      good("index.php", "<?php\n// extract($_GET);\n$zip->extract($_POST);\n"),
    ],
  },
};
