/** `if err != nil { return nil }` in a function that returns an error. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

/** True for a function whose only or last result is an error. */
function returnsError(around: SyntaxNode | null): boolean {
  return /(?:^|[\s,(])error\)?$/.test(around?.field("result")?.text() ?? "");
}

function onlyStatement(block: SyntaxNode | null): SyntaxNode | null {
  const list = block?.namedChildren() ?? [];
  const statements = list.length === 1 && list[0]?.kind() === "statement_list" ? list[0].namedChildren() : [];
  return statements.length === 1 ? (statements[0] ?? null) : null;
}

export const goLostError: TreeRule = {
  kind: "tree",
  id: "go-lost-error",
  title: "Lost error: it is checked, but nil is returned",
  severity: "major",
  category: "correctness",
  why: "The caller takes the failure for success and continues without the result.",
  fix: "Return the error. If it's safe to ignore, say why in a comment.",
  confidence: 0.85,
  languages: ["go"],
  inTests: false,
  trigger: /\breturn (?:[^\n]{1,100}, )?nil$/m,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "if_statement" } })) {
      if (node.field("condition")?.text() !== "err != nil" || node.field("alternative") !== null) continue;
      const only = onlyStatement(node.field("consequence"));
      if (only === null || !/^return (?:nil|[^\n]{1,100}, nil)$/.test(only.text())) continue;
      const before = node.prev();
      if (before?.kind() === "comment" || !returnsError(functionAround(node))) continue;
      yield { line: linesOf(only).line };
    }
  },
  examples: {
    bad: [
      bad(
        "src/save.go",
        6,
        "package a\n\nfunc save(order Order) error {\n\terr := insert(order)\n\tif err != nil {\n\t\treturn nil\n\t}\n\treturn notify(order)\n}\n",
      ),
      bad(
        "src/load.go",
        6,
        "package a\n\nfunc load(id int) (*Order, error) {\n\torder, err := find(id)\n\tif err != nil {\n\t\treturn nil, nil\n\t}\n\treturn order, nil\n}\n",
      ),
    ],
    good: [
      good(
        "src/save.go",
        "package a\n\nfunc save(order Order) error {\n\tif err := insert(order); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n",
      ),
      good(
        "src/find.go",
        "package a\n\nfunc find(id int) *Order {\n\torder, err := load(id)\n\tif err != nil {\n\t\treturn nil\n\t}\n\treturn order\n}\n",
      ),
      good(
        "src/skip.go",
        "package a\n\nfunc walk(path string, err error) error {\n\tif err != nil {\n\t\t// Files that can't be read are skipped.\n\t\treturn nil\n\t}\n\treturn add(path)\n}\n",
      ),
    ],
  },
};
