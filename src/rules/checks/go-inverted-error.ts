/** `if err == nil` around the code that handles the error. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

function onlyStatement(block: SyntaxNode | null): SyntaxNode | null {
  const list = block?.namedChildren() ?? [];
  const statements = list.length === 1 && list[0]?.kind() === "statement_list" ? list[0].namedChildren() : [];
  return statements.length === 1 ? (statements[0] ?? null) : null;
}

/** Results that say nothing: with them, the error is all that the caller gets. */
const EMPTY = /^(?:nil|0|-1|""|false|\w+(?:\.\w+)?\{\})$/;

/** True when a statement passes on or reports the error, which makes sense only when there is one. */
function handles(statement: SyntaxNode, name: string): boolean {
  const text = statement.text();
  if (text.length > 300) return false;
  if (new RegExp(`^(?:log\\.Fatal(?:f|ln)?|panic)\\((?:"[^"]*",\\s*)?${name}\\)$`).test(text)) return true;
  const returned = /^return\s+(.+)$/s.exec(text)?.[1];
  if (returned === undefined) return false;
  const wrapped = new RegExp(`(?:fmt\\.Errorf|errors\\.Wrapf?)\\([^()]*\\b${name}\\b[^()]*\\)$`);
  if (wrapped.test(returned)) return true;
  const values = returned.split(",").map((value) => value.trim());
  return values.pop() === name && values.every((value) => EMPTY.test(value));
}

export const goInvertedError: TreeRule = {
  kind: "tree",
  id: "go-inverted-error",
  title: "Inverted error check: the error is handled exactly when there is none",
  severity: "must-fix",
  category: "correctness",
  why: "On success the function stops early and returns a nil error; on failure it continues as if nothing had happened.",
  fix: "Compare with `!= nil`.",
  confidence: 0.9,
  languages: ["go"],
  inTests: false,
  trigger: /\b\w*[eE]rr\w*\s*==\s*nil\b/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "if_statement" } })) {
      const name = /^(\w*[eE]rr\w*)\s*==\s*nil$/.exec(node.field("condition")?.text() ?? "")?.[1];
      if (name === undefined || node.field("alternative") !== null) continue;
      const only = onlyStatement(node.field("consequence"));
      if (only === null || !handles(only, name)) continue;
      // A loop that tries again until it works returns the nil error on purpose.
      if (/^return\s+(?:nil,\s*)?\w+$/.test(only.text()) && isFallback(node, name)) continue;
      yield {
        line: linesOf(node).line,
        endLine: linesOf(only).line,
        title: `Inverted error check: ${nameOr(name, "the error")} is handled exactly when it is nil`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/save.go",
        5,
        "package a\n\nfunc save(tx *Tx) error {\n\t_, err := tx.Exec(query)\n\tif err == nil {\n\t\treturn err\n\t}\n\treturn tx.Commit()\n}\n",
      ),
      bad(
        "src/load.go",
        5,
        'package a\n\nfunc load(path string) (*Config, error) {\n\tf, err := os.Open(path)\n\tif err == nil {\n\t\treturn nil, fmt.Errorf("open: %w", err)\n\t}\n\treturn read(f)\n}\n',
      ),
      bad(
        "main.go",
        5,
        "package main\n\nfunc main() {\n\terr := run()\n\tif err == nil {\n\t\tlog.Fatal(err)\n\t}\n}\n",
      ),
    ],
    good: [
      good(
        "src/save.go",
        "package a\n\nfunc save(tx *Tx) error {\n\t_, err := tx.Exec(query)\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn tx.Commit()\n}\n",
      ),
      good(
        "src/retry.go",
        "package a\n\nfunc retry(n int) error {\n\tvar err error\n\tfor range n {\n\t\terr = try()\n\t\tif err == nil {\n\t\t\treturn err\n\t\t}\n\t}\n\treturn err\n}\n",
      ),
      good(
        "src/first.go",
        "package a\n\nfunc first() (*Item, error) {\n\titem, err := cached()\n\tif err == nil {\n\t\treturn item, err\n\t}\n\treturn load()\n}\n",
      ),
      good(
        "src/fallback.go",
        "package a\n\nfunc remove(p string) error {\n\terr := os.Remove(p)\n\tif err == nil {\n\t\treturn err\n\t}\n\tif os.IsNotExist(err) {\n\t\treturn nil\n\t}\n\treturn err\n}\n",
      ),
    ],
  },
};

/** True when the code after the check deals with the error, or a loop around it tries again. */
function isFallback(node: SyntaxNode, name: string): boolean {
  const around = functionAround(node);
  if (around === null || nearestAncestor(node, (one) => one.kind() === "for_statement") !== null) return true;
  const rest = around.text().slice(node.range().end.index - around.range().start.index);
  return new RegExp(`(?<![\\w.])${name}\\b(?!\\s*:?=[^=]|,[^\\n]*:?=)`).test(
    rest.split(/\bfunc\b/, 1)[0] ?? "",
  );
}
