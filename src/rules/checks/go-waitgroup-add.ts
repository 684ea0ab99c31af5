/** `WaitGroup.Add` as the first thing a goroutine does: `Wait` can return before it. */
import type { PatternRule } from "../rule.ts";

/** The body of a goroutine's own function literal. */
const GOROUTINE = {
  kind: "block",
  inside: { kind: "func_literal", inside: { inside: { kind: "go_statement" } } },
};

export const goWaitgroupAdd: PatternRule = {
  kind: "pattern",
  id: "go-waitgroup-add",
  title: "Race with `Wait`: `WaitGroup.Add` is called inside the goroutine",
  severity: "must-fix",
  category: "correctness",
  why: "`Wait` can run before the goroutine has started. It then sees a count of zero and returns while work is still running.",
  fix: "Call `Add` before the `go` statement, or use `group.Go`.",
  languages: ["go"],
  inTests: true,
  trigger: /\.Add\(/,
  patterns: [
    {
      rule: {
        pattern: { context: "func f() { $GROUP.Add($COUNT) }", selector: "expression_statement" },
        has: { kind: "call_expression", has: { field: "function", pattern: "$ADD" } },
        inside: {
          kind: "statement_list",
          // Only a wait group has both.
          has: { pattern: "$GROUP.Done()", stopBy: "end" },
          inside: GOROUTINE,
        },
      },
      constraints: { COUNT: { kind: "int_literal" } },
      title: "Race with `Wait`: {ADD|`Add`} is called inside the goroutine",
    },
  ],
};
