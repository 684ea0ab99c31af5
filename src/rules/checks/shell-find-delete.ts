/** `find … -delete` before its conditions, which deletes everything. */
import type { PatternRule } from "../rule.ts";

/** A condition of `find` among its arguments. */
const CONDITION = { regex: "^-(?:i?name|i?path|i?regex|type|[acm]min|[acm]time|newer\\w*|size|empty|user)$" };

export const shellFindDelete: PatternRule = {
  kind: "pattern",
  id: "shell-find-delete",
  title: "Deletion of everything: `-delete` of `find` comes before the conditions",
  severity: "must-fix",
  category: "reliability",
  why: "`find` evaluates its arguments from left to right, so each file is deleted before its name or age is looked at.",
  fix: "Put `-delete` at the end.",
  languages: ["bash"],
  inTests: true,
  trigger: /-delete/,
  patterns: [
    {
      rule: {
        kind: "command",
        regex: "^(?:sudo\\s+)?find\\s",
        has: {
          regex: "^-delete$",
          precedes: { ...CONDITION, stopBy: "end" },
          not: { follows: { any: [CONDITION, { regex: "^-mtime$" }], stopBy: "end" } },
        },
      },
    },
  ],
};
