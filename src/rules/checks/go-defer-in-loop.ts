/** A deferred Close or Unlock in a loop body, which runs only when the function returns. */
import { anyKind } from "../syntax/pattern-parts.ts";
import type { PatternRule } from "../rule.ts";

/** A list whose last statement leaves the loop. */
const LEAVING = {
  kind: "statement_list",
  has: {
    nthChild: { position: 1, reverse: true },
    regex: "^(?:return|break|goto)\\b|^(?:panic|log\\.Fatal\\w*|os\\.Exit)\\(",
  },
};

export const goDeferInLoop: PatternRule = {
  kind: "pattern",
  id: "go-defer-in-loop",
  title: "Defer in a loop: it runs only when the function returns",
  severity: "medium",
  category: "reliability",
  why: "Each iteration adds another deferred call. Files, rows or locks stay held until the function returns, and a long loop exhausts them.",
  fix: "Move the loop body into a separate function, or close the resource at the end of each iteration.",
  languages: ["go"],
  trigger: /\bdefer\b/,
  patterns: [
    {
      rule: {
        kind: "defer_statement",
        regex: "^defer\\s+[\\w.\\[\\]]+\\.(?:Close|Unlock|RUnlock)\\(\\)$",
        inside: {
          kind: "for_statement",
          stopBy: {
            any: [LEAVING, anyKind("for_statement func_literal function_declaration method_declaration")],
          },
        },
      },
    },
  ],
};
