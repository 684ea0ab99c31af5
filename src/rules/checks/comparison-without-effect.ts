/** A comparison as a whole statement: its result is discarded, so `=` was probably meant. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asBinary } from "../syntax/operands.ts";
import { statementListsIn } from "../syntax/statement-lists.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

function comparedIn(statement: SyntaxNode, language: string): SyntaxNode | null {
  const isStatement = statement.kind() === "expression_statement" && statement.text().endsWith(";");
  if (!isStatement && language !== "ruby") return null;
  const inner = isStatement ? statement.namedChildren()[0] : statement;
  const binary = inner === undefined ? null : asBinary(inner);
  if (binary === null || !/^(?:===?|!==?)$/.test(binary.operator)) return null;
  return /^[$@\w.>[\]-]+$/.test(binary.left.text()) ? binary.left : null;
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const statements of statementListsIn(root, language)) {
    // The last expression of a Ruby body is its value.
    const checked = language === "ruby" ? statements.slice(0, -1) : statements;
    for (const statement of checked) {
      const left = comparedIn(statement, language);
      if (left === null) continue;
      const title = `Comparison without effect: the result for ${nameOr(left.text(), "a value")} is discarded`;
      yield { ...linesOf(statement), title };
    }
  }
}

export const comparisonWithoutEffect: TreeRule = {
  kind: "tree",
  id: "comparison-without-effect",
  title: "Comparison without effect: the result is discarded",
  severity: "must-fix",
  category: "correctness",
  why: "The statement does nothing. An assignment with `=` was probably meant.",
  fix: "Write `=` to assign, use the result, or remove the statement.",
  languages: ["c", "cpp", "rust", "ruby", "php"],
  inTests: false,
  trigger: /[=!]=/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad("src/state.c", 2, "void close_it(struct state *s) {\n  s->open == 0;\n}\n"),
      bad("src/state.rs", 2, "fn close(state: &mut State) {\n    state.open == false;\n}\n"),
      bad("src/state.php", 3, "<?php\nfunction close($state) {\n  $state->open == false;\n}\n"),
      bad("lib/state.rb", 2, "def close(state)\n  state.open == false\n  save(state)\nend\n"),
    ],
    good: [
      good(
        "src/state.c",
        "int is_open(struct state *s) {\n  s->seen = s->open == 0;\n  return s->open == 1;\n}\n",
      ),
      good("src/state.rs", "fn is_open(state: &State) -> bool {\n    state.open == true\n}\n"),
      good("lib/state.rb", "def open?(state)\n  state.seen = true\n  state.open == true\nend\n"),
    ],
  },
};
