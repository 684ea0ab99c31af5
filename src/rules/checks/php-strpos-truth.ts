/** `strpos` and its relatives used as a condition: position 0 counts as not found. */
import { anyKind, withFields } from "../syntax/pattern-parts.ts";
import type { PatternRule } from "../rule.ts";

const NAME = { kind: "name", pattern: "$NAME", regex: "(?i)^(?:(?:mb_)?str(?:i|r|ri)?pos|array_search)$" };

/** The position is taken as true or false, directly or by a loose comparison. */
const AS_TRUTH = [
  {
    kind: "parenthesized_expression",
    inside: anyKind("if_statement while_statement else_if_clause do_statement"),
  },
  { kind: "unary_op_expression", regex: "^!" },
  withFields("binary_expression", { operator: "^(?:&&|\\|\\||and|or)$" }),
  {
    ...withFields("binary_expression", { operator: "^(?:==|!=|<>)$" }),
    regex: "(?i)\\b(?:false|true)\\b.{0,3}$",
  },
];

export const phpStrposTruth: PatternRule = {
  kind: "pattern",
  id: "php-strpos-truth",
  title: "Missed match: position 0 counts as not found",
  severity: "must-fix",
  category: "correctness",
  why: "The function gives 0 for a match at the start, and PHP takes 0 as false, so the condition is wrong for exactly that case.",
  fix: "Compare with `!== false`, or use `str_contains` or `str_starts_with`.",
  languages: ["php"],
  inTests: true,
  trigger: /\b(?:mb_)?str(?:r?i?pos)\s*\(|\barray_search\s*\(/i,
  patterns: [
    {
      rule: {
        any: [
          { kind: "function_call_expression", has: { any: [NAME, { kind: "qualified_name", has: NAME }] } },
          { ...anyKind("member_call_expression scoped_call_expression"), has: { field: "name", ...NAME } },
        ],
        inside: { any: AS_TRUTH },
      },
      title: "Missed match: {NAME|the search} is a condition, so position 0 counts as not found",
    },
  ],
};
