/** A `return` in a `finally` or `ensure` block, which discards the exception. */
import type { RuleObject } from "../../syntax/syntax.ts";
import { nearestOf } from "../syntax/pattern-parts.ts";
import { bad, good, type PatternRule } from "../rule.ts";

/** A return whose nearest block or function is the cleanup block. */
function returnIn(block: string, functions: string, kind = "return_statement"): RuleObject {
  return { kind, inside: nearestOf({ kind: block }, `${block} ${functions}`) };
}

const PHP_FUNCTIONS = "function_definition method_declaration anonymous_function arrow_function";

export const returnInFinally: PatternRule = {
  kind: "pattern",
  id: "return-in-finally",
  title: "Lost exception: `return` in a cleanup block discards it",
  severity: "major",
  category: "correctness",
  why: "If the guarded code throws, the return replaces the exception, so the caller gets a normal result and the error is lost.",
  fix: "Move the return after the block, and only clean up inside it.",
  languages: ["java", "php", "ruby"],
  trigger: /\breturn\b|\bfinally\b|\bensure\b/,
  needs: /\bfinally\b|\bensure\b/,
  patterns: [
    {
      languages: ["java"],
      rule: returnIn("finally_clause", "method_declaration constructor_declaration lambda_expression"),
    },
    { languages: ["php"], rule: returnIn("finally_clause", PHP_FUNCTIONS) },
    {
      languages: ["ruby"],
      rule: returnIn("ensure", "method singleton_method block do_block lambda", "return"),
    },
  ],
  examples: {
    bad: [
      bad(
        "src/Save.java",
        6,
        "class Save {\n  boolean f() {\n    try {\n      write();\n    } finally {\n      return true;\n    }\n  }\n}\n",
      ),
      bad("src/save.php", 3, "<?php\nfunction save() {\n  try { write(); } finally { return true; }\n}\n"),
      bad("lib/save.rb", 4, "def save\n  write\nensure\n  return true\nend\n"),
    ],
    good: [
      good(
        "src/Save.java",
        "class Save {\n  boolean f() {\n    try {\n      return write();\n    } finally {\n      all.forEach(one -> { return; });\n      close();\n    }\n  }\n}\n",
      ),
      good("src/save.php", "<?php\nfunction save() {\n  try { return write(); } finally { close(); }\n}\n"),
      good("lib/save.rb", "def save\n  return write\nensure\n  close\nend\n"),
    ],
  },
};
