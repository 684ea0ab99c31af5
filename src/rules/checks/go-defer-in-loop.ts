/** A deferred Close or Unlock in a loop body, which runs only when the function returns. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, type TreeRule } from "../rule.ts";

/** The loop whose every iteration adds a deferred call; null when the iteration leaves the function right after. */
function loopAround(statement: SyntaxNode, leaving: Map<number, boolean>): SyntaxNode | null {
  for (let ancestor = statement.parent(); ancestor !== null; ancestor = ancestor.parent()) {
    if (/^(?:func_literal|function_declaration|method_declaration)$/.test(ancestor.kind())) return null;
    if (ancestor.kind() === "for_statement") return ancestor;
    if (ancestor.kind() !== "statement_list") continue;
    const key = ancestor.range().start.index;
    const isLeaving = leaving.get(key) ?? leaves(ancestor.namedChildren().at(-1));
    leaving.set(key, isLeaving);
    if (isLeaving) return null;
  }
  return null;
}

function leaves(statement: SyntaxNode | undefined): boolean {
  if (statement === undefined) return false;
  return (
    /^(?:return_statement|break_statement|goto_statement)$/.test(statement.kind()) ||
    /^(?:panic|log\.Fatal\w*|os\.Exit)\(/.test(statement.text())
  );
}

export const goDeferInLoop: TreeRule = {
  kind: "tree",
  id: "go-defer-in-loop",
  title: "Defer in a loop: it runs only when the function returns",
  severity: "medium",
  category: "reliability",
  why: "Each iteration adds another deferred call. Files, rows or locks stay held until the function returns, and a long loop exhausts them.",
  fix: "Move the loop body into a separate function, or close the resource at the end of each iteration.",
  languages: ["go"],
  inTests: false,
  trigger: /\bdefer\b/,
  *check(root) {
    // Start of a statement list → whether the list ends by leaving the loop.
    const leaving = new Map<number, boolean>();
    for (const statement of root.findAll({ rule: { kind: "defer_statement" } })) {
      if (!/^defer\s+[\w.[\]]+\.(?:Close|Unlock|RUnlock)\(\)$/.test(statement.text())) continue;
      if (loopAround(statement, leaving) !== null) yield { line: linesOf(statement).line };
    }
  },
  examples: {
    bad: [
      bad(
        "read.go",
        9,
        "package read\n\nfunc all(paths []string) error {\n\tfor _, path := range paths {\n\t\tfile, err := os.Open(path)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tdefer file.Close()\n\t\tread(file)\n\t}\n\treturn nil\n}\n",
      ),
      bad(
        "lock.go",
        6,
        "package read\n\nfunc all(parts []*Part) {\n\tfor _, part := range parts {\n\t\tpart.mu.Lock()\n\t\tdefer part.mu.Unlock()\n\t\tpart.count++\n\t}\n}\n",
      ),
    ],
    good: [
      good(
        "read.go",
        "package read\n\nfunc all(paths []string) error {\n\tfor _, path := range paths {\n\t\tif err := one(path); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n\treturn nil\n}\n",
      ),
      good(
        "literal.go",
        "package read\n\nfunc all(paths []string) {\n\tfor _, path := range paths {\n\t\tfunc() {\n\t\t\tfile := open(path)\n\t\t\tdefer file.Close()\n\t\t\tread(file)\n\t\t}()\n\t}\n}\n",
      ),
      good(
        "first.go",
        'package read\n\nfunc first(paths []string) string {\n\tfor _, path := range paths {\n\t\tif file := open(path); file != nil {\n\t\t\tdefer file.Close()\n\t\t\treturn read(file)\n\t\t}\n\t}\n\treturn ""\n}\n',
      ),
      good(
        "group.go",
        "package read\n\nfunc all(group *sync.WaitGroup, work []func()) {\n\tfor _, do := range work {\n\t\tgo func() {\n\t\t\tdefer group.Done()\n\t\t\tdo()\n\t\t}()\n\t}\n}\n",
      ),
    ],
  },
};
