/** A loop around a `select` with an empty `default`, which spins at full CPU. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

export const goBusySelect: TreeRule = {
  kind: "tree",
  id: "go-busy-select",
  title: "Busy loop: its `select` has an empty `default`",
  severity: "must-fix",
  category: "performance",
  why: "With `default`, `select` doesn't wait. The loop runs as fast as it can and uses a whole CPU core until a channel is ready.",
  fix: "Remove the `default` case, so that `select` waits.",
  languages: ["go"],
  inTests: false,
  trigger: /\bselect\b|\bdefault\b/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "select_statement" } })) {
      const fallback = node.namedChildren().find((child) => child.kind() === "default_case");
      if (fallback === undefined || fallback.namedChildren().some((child) => child.text() !== "")) continue;
      if (isWholeLoop(node)) yield { line: linesOf(fallback).line };
    }
  },
  examples: {
    bad: [
      bad(
        "src/wait.go",
        8,
        "package a\n\nfunc wait(done chan struct{}) {\n\tfor {\n\t\tselect {\n\t\tcase <-done:\n\t\t\treturn\n\t\tdefault:\n\t\t}\n\t}\n}\n",
      ),
      bad(
        "src/run.go",
        8,
        "package a\n\nfunc run(jobs chan Job) {\n\tfor {\n\t\tselect {\n\t\tcase job := <-jobs:\n\t\t\tjob.Run()\n\t\tdefault:\n\t\t}\n\t}\n}\n",
      ),
    ],
    good: [
      good(
        "src/wait.go",
        "package a\n\nfunc wait(done chan struct{}) {\n\tfor {\n\t\tselect {\n\t\tcase <-done:\n\t\t\treturn\n\t\tdefault:\n\t\t}\n\t\twork()\n\t}\n}\n",
      ),
      good(
        "src/run.go",
        "package a\n\nfunc run(jobs chan Job) {\n\tfor {\n\t\tselect {\n\t\tcase job := <-jobs:\n\t\t\tjob.Run()\n\t\tdefault:\n\t\t\ttime.Sleep(time.Second)\n\t\t}\n\t}\n}\n",
      ),
      good(
        "src/try.go",
        "package a\n\nfunc try(jobs chan Job) {\n\tselect {\n\tcase job := <-jobs:\n\t\tjob.Run()\n\tdefault:\n\t}\n}\n",
      ),
    ],
  },
};

/** True when the `select` is all that an endless loop does. */
function isWholeLoop(node: SyntaxNode): boolean {
  const list = node.parent();
  const loop = list?.parent()?.parent();
  if (list?.kind() !== "statement_list" || loop?.kind() !== "for_statement") return false;
  const statements = list.namedChildren().filter((child) => child.kind() !== "comment");
  return statements.length === 1 && /^for\s*\{/.test(loop.text().slice(0, 20));
}
