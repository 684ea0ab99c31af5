/** A `return` in a `finally` or `ensure` block, which discards the exception. */
import type { RuleObject } from "../../syntax/syntax.ts";
import { nearestOf } from "../syntax/pattern-parts.ts";
import type { PatternRule } from "../rule.ts";

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
};
