/** A semicolon directly after the condition of `if`, `while` or `for`, with a block below it. */
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

export const straySemicolon: TreeRule = {
  kind: "tree",
  id: "stray-semicolon",
  title: "A semicolon ends the statement, so the block below always runs",
  severity: "must-fix",
  category: "correctness",
  why: "The semicolon is the whole body. The block after it isn't part of the condition or loop and runs once, always.",
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
      const isBlock = next !== null && /^(?:compound_statement|block)$/.test(next.kind());
      if (!isIf && !isBlock) continue;
      // An `if` with an `else` uses the empty statement on purpose.
      if (isIf && (node.field("alternative") !== null || !isBlock)) continue;
      yield {
        line: linesOf(body).line,
        title: `A semicolon ends the \`${node.kind().split("_", 1)[0]}\`, so the block below always runs`,
      };
    }
  },
  examples: {
    bad: [
      bad("src/check.c", 2, "void check(int n) {\n  if (n < 0);\n  {\n    fail();\n  }\n}\n"),
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
