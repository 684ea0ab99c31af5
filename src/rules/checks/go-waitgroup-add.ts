/** `WaitGroup.Add` as the first thing a goroutine does: `Wait` can return before it. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** The statements of a goroutine's own function literal. */
function statementsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const literal = node.namedChildren()[0]?.field("function");
  if (literal?.kind() !== "func_literal") return [];
  return (
    literal
      .field("body")
      ?.namedChildren()
      .flatMap((list) => (list.kind() === "statement_list" ? list.namedChildren() : [list])) ?? []
  );
}

export const goWaitgroupAdd: TreeRule = {
  kind: "tree",
  id: "go-waitgroup-add",
  title: "Race with `Wait`: `WaitGroup.Add` is called inside the goroutine",
  severity: "must-fix",
  category: "correctness",
  why: "`Wait` can run before the goroutine has started. It then sees a count of zero and returns while work is still running.",
  fix: "Call `Add` before the `go` statement, or use `group.Go`.",
  languages: ["go"],
  inTests: true,
  trigger: /\.Add\(/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "go_statement" } })) {
      const statements = statementsOf(node);
      const text = statements.map((one) => one.text()).join("\n");
      for (const statement of statements) {
        const name = /^([\w.]{1,60})\.Add\(\s*\d+\s*\)$/.exec(statement.text())?.[1];
        // Only a wait group has both.
        if (name === undefined || !text.includes(`${name}.Done()`)) continue;
        yield {
          line: linesOf(statement).line,
          title: `Race with \`Wait\`: ${nameOr(`${name}.Add`, "`Add`")} is called inside the goroutine`,
        };
      }
    }
  },
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
