/** Request parameters turned into variables. A prefix keeps the program's own variables safe. */
import { callsIn } from "../syntax/calls.ts";
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

/** Variables that a client controls. */
const REQUEST_VARIABLE = /^\$_(?:GET|POST|REQUEST|COOKIE)$/;

export const phpExtractRequest: TreeRule = {
  kind: "tree",
  id: "php-extract-request",
  title: "Variable injection: request parameters can overwrite any variable",
  severity: "must-fix",
  category: "security",
  why: "Anyone can overwrite variables in this scope, such as `$isAdmin` or `$config`, by adding a parameter with that name.",
  fix: "Read the expected fields one by one.",
  languages: ["php"],
  inTests: false,
  trigger: /\b(?:extract|parse_str)\s*\(/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, name, args } of callsIn(
      root,
      "php",
      (called) => called === "extract" || called === "parse_str",
    )) {
      if (node.kind() !== "function_call_expression") continue;
      const source = args[0]?.text() ?? "";
      const isRequest =
        REQUEST_VARIABLE.test(source) &&
        name === "extract" &&
        !/EXTR_(?:SKIP|PREFIX_ALL|PREFIX_SAME)/.test(args[1]?.text() ?? "");
      const isQuery = name === "parse_str" && args.length === 1 && source.startsWith("$_SERVER[");
      if (isRequest || isQuery) yield { line: node.range().start.line + 1 };
    }
  },
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
