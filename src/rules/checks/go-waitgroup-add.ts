/** `WaitGroup.Add` as the first thing a goroutine does: `Wait` can return before it. */
import { bad, good, type PatternRule } from "../rule.ts";

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
  examples: {
    bad: [
      bad(
        "src/run.go",
        6,
        "package a\n\nfunc run(all []func()) {\n\tfor _, one := range all {\n\t\tgo func() {\n\t\t\tgroup.Add(1)\n\t\t\tdefer group.Done()\n\t\t\tone()\n\t\t}()\n\t}\n\tgroup.Wait()\n}\n",
      ),
      bad(
        "src/one.go",
        5,
        "package a\n\nfunc (s *Server) run() {\n\tgo func() {\n\t\ts.wg.Add(1)\n\t\ts.work()\n\t\ts.wg.Done()\n\t}()\n}\n",
      ),
    ],
    good: [
      good(
        "src/run.go",
        "package a\n\nfunc run(all []func()) {\n\tfor _, one := range all {\n\t\tgroup.Add(1)\n\t\tgo func() {\n\t\t\tdefer group.Done()\n\t\t\tone()\n\t\t}()\n\t}\n\tgroup.Wait()\n}\n",
      ),
      good("src/count.go", "package a\n\nfunc run() {\n\tgo func() {\n\t\tcounter.Add(1)\n\t}()\n}\n"),
      good(
        "src/inner.go",
        "package a\n\nfunc run() {\n\tgo func() {\n\t\tfor range jobs {\n\t\t\tinner.Add(1)\n\t\t\tgo work(inner)\n\t\t}\n\t\tinner.Wait()\n\t}()\n}\n",
      ),
    ],
  },
};
