/** An error response in an `if` that doesn't leave the handler: the code after it runs too. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { leaves } from "../syntax/statement-lists.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const RESPONDS =
  /^(?:http\.(?:Error|NotFound|Redirect)|\w{1,20}\.(?:AbortWithStatus|AbortWithStatusJSON|AbortWithError))\(/;

function lastStatement(block: SyntaxNode | null): SyntaxNode | null {
  const list = block?.namedChildren().find((child) => child.kind() === "statement_list");
  return list?.namedChildren().findLast((child) => child.kind() !== "comment") ?? null;
}

/** True when nothing of the function runs after the `if`. */
function isLast(node: SyntaxNode): boolean {
  let around: SyntaxNode | null = node;
  while (
    around !== null &&
    !/^(?:func_literal|function_declaration|method_declaration)$/.test(around.kind())
  ) {
    if (/^(?:for_statement|expression_case|communication_case|type_case|default_case)$/.test(around.kind()))
      return true;
    for (let next = around.next(); next !== null; next = next.next()) {
      if (around.parent()?.kind() === "statement_list" && next.isNamed() && next.kind() !== "comment")
        return leaves(next, "go");
    }
    around = around.parent();
  }
  return true;
}

export const goErrorResponseContinues: TreeRule = {
  kind: "tree",
  id: "go-error-response-continues",
  title: "Missing return: the handler continues after it sent an error response",
  severity: "must-fix",
  category: "correctness",
  why: "Sending an error doesn't end the handler. The code after the check runs as if the request were valid and writes a second response.",
  fix: "Add `return` after the error response.",
  languages: ["go"],
  inTests: false,
  afterRemoval: true,
  trigger: /\bhttp\.(?:Error|NotFound|Redirect)\(|\.AbortWith/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "if_statement" } })) {
      const last = lastStatement(node.field("consequence"));
      if (last === null || last.kind() !== "expression_statement" || !RESPONDS.test(last.text())) continue;
      if (node.field("alternative") !== null || isLast(node)) continue;
      yield { line: linesOf(last).line, missingIn: linesOf(node) };
    }
  },
  examples: {
    bad: [
      {
        files: [
          {
            path: "src/removed.go",
            before:
              "package a\n\nfunc get(w http.ResponseWriter, ok bool) {\n\tif !ok {\n\t\thttp.Error(w, text, 400)\n\t\treturn\n\t}\n\tshow(w)\n}\n",
            after:
              "package a\n\nfunc get(w http.ResponseWriter, ok bool) {\n\tif !ok {\n\t\thttp.Error(w, text, 400)\n\t}\n\tshow(w)\n}\n",
          },
        ],
        line: 5,
      },
      bad(
        "src/get.go",
        6,
        "package a\n\nfunc get(w http.ResponseWriter, r *http.Request) {\n\titem, err := find(r)\n\tif err != nil {\n\t\thttp.Error(w, err.Error(), 500)\n\t}\n\tshow(w, item)\n}\n",
      ),
      bad(
        "src/auth.go",
        5,
        "package a\n\nfunc auth(c *gin.Context) {\n\tif !allowed(c) {\n\t\tc.AbortWithStatus(403)\n\t}\n\tremove(c)\n}\n",
      ),
    ],
    good: [
      good(
        "src/get.go",
        "package a\n\nfunc get(w http.ResponseWriter, r *http.Request) {\n\titem, err := find(r)\n\tif err != nil {\n\t\thttp.Error(w, err.Error(), 500)\n\t\treturn\n\t}\n\tshow(w, item)\n}\n",
      ),
      good(
        "src/end.go",
        "package a\n\nfunc get(w http.ResponseWriter, r *http.Request) {\n\tif err := show(w); err != nil {\n\t\thttp.Error(w, err.Error(), 500)\n\t}\n}\n",
      ),
      good(
        "src/else.go",
        "package a\n\nfunc get(w http.ResponseWriter, ok bool) {\n\tif !ok {\n\t\thttp.NotFound(w, nil)\n\t} else {\n\t\tshow(w)\n\t}\n\treturn\n}\n",
      ),
    ],
  },
};
