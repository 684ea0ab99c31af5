/** A semicolon directly after the condition of `if`, `while` or `for`, with its intended body below it. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

/** True when the statement is written as the body: a block, or indented further on a later line. */
function isBodyOf(node: SyntaxNode, next: SyntaxNode): boolean {
  if (/^(?:compound_statement|block)$/.test(next.kind())) return true;
  const [from, to] = [node.range(), next.range()];
  return to.start.line > from.end.line && to.start.column > from.start.column;
}

export const straySemicolon: TreeRule = {
  kind: "tree",
  id: "stray-semicolon",
  title: "Stray semicolon: it ends the statement, so the code below always runs",
  severity: "must-fix",
  category: "correctness",
  why: "The semicolon is the whole body. The code after it isn't part of the condition or loop and runs once, always.",
  fix: "Remove the semicolon.",
  languages: ["c", "cpp", "java", "csharp", "php"],
  inTests: false,
  trigger: /\)\s*;/,
  *check(root): Iterable<RuleMatch> {
    const rule = { any: [{ kind: "if_statement" }, { kind: "for_statement" }, { kind: "while_statement" }] };
    for (const node of root.findAll({ rule })) {
      const body = node.field("consequence") ?? node.field("body");
      if (body === null || body.text() !== ";") continue;
      const next = node.next();
      const isIf = node.kind() === "if_statement";
      // An `if` with an `else` uses the empty statement on purpose, and so does a loop that waits.
      if (isIf ? node.field("alternative") !== null : next === null || !isBodyOf(node, next)) continue;
      // After an expanded macro, the indentation is the only sign.
      if (isIf && linesOf(body).line !== linesOf(node.field("condition") ?? body).endLine) continue;
      yield {
        line: linesOf(body).line,
        title: `Stray semicolon: it ends the \`${node.kind().split("_", 1)[0]}\`, so the code below always runs`,
      };
    }
  },
  examples: {
    bad: [
      bad("src/check.c", 2, "void check(int n) {\n  if (n < 0);\n  {\n    fail();\n  }\n}\n"),
      bad("src/retry.c", 2, "int retry(int n) {\n  if (n == 0);\n    return 0;\n  return again(n);\n}\n"),
      bad(
        "src/Loop.java",
        3,
        "class Loop {\n  void f(int n) {\n    for (int i = 0; i < n; i++);\n    {\n      run();\n    }\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/spin.c",
        "void spin(volatile int *flag) {\n  while (*flag);\n  for (int i = 0; i < 9; i++);\n  run();\n}\n",
      ),
      good("src/check.c", "void check(int n) {\n  if (n < 0) {\n    fail();\n  }\n}\n"),
      good("src/Else.java", "class A {\n  void f(int n) {\n    if (n > 1); else { run(); }\n  }\n}\n"),
    ],
  },
};
