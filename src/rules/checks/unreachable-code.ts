/** A statement directly after one that leaves the block. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { leaves, statementListsIn } from "../syntax/statement-lists.ts";
import { linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

/** Statements that are reachable by name, declare something for the whole block, or satisfy a compiler. */
const HARMLESS =
  /^(?:labeled_statement|label|break_statement|return_statement|preproc_\w+|local_function_statement|function_definition|function_item|struct_item|enum_item|impl_item|use_declaration|const_item|mod_item|macro_definition|class_declaration|method|singleton_method|case_statement|default_statement|rescue|ensure|else|empty_statement|ERROR|text|text_interpolation|attribute_item|switch_label|case_switch_label|heredoc_body|end)$/;

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const statements of statementListsIn(root, language)) {
    for (const [index, statement] of statements.entries()) {
      const next = statements[index + 1];
      if (next === undefined || !leaves(statement, language)) continue;
      if (HARMLESS.test(next.kind()) || isHarmlessText(next, language)) break;
      if (isConditional(statement) || isConditional(next) || !areAligned(statement, next)) break;
      yield {
        line: linesOf(next).line,
        also: [linesOf(statement).line],
        detail: `The statement on line ${linesOf(statement).line} always leaves first.`,
      };
      break;
    }
  }
}

/** True when the build decides whether the statement exists. */
function isConditional(statement: SyntaxNode): boolean {
  const before = statement.prev();
  return (
    /^\s*#\s*(?:if|el|end)/m.test(statement.text()) ||
    (before !== null && /^(?:attribute_item|preproc_\w+)$/.test(before.kind()))
  );
}

/** Other statements are the parser's reading of a macro, or of an `if` that the build chooses. */
function areAligned(statement: SyntaxNode, next: SyntaxNode): boolean {
  const [one, other] = [statement.range().start, next.range().start];
  return one.column === other.column && one.line < other.line;
}

/** An empty statement, or one that only tells a compiler that this point is never reached. */
function isHarmlessText(next: SyntaxNode, language: string): boolean {
  const text = next.text();
  if (/never|unreach|not reach/i.test(next.next()?.kind() === "comment" ? (next.next()?.text() ?? "") : ""))
    return true;
  if (text === ";" || /unreachable|not_?reached/i.test(text)) return true;
  return (language === "ruby" || language === "rust") && /^(?:return|break|next)\b/.test(text);
}

export const unreachableCode: TreeRule = {
  kind: "tree",
  id: "unreachable-code",
  title: "Unreachable code: the statement before always leaves",
  severity: "major",
  category: "correctness",
  why: "The code never runs, so whatever it was meant to do doesn't happen.",
  fix: "Move the code before the statement that leaves, add the missing condition, or remove it.",
  languages: ["go", "rust", "c", "cpp", "java", "csharp", "ruby", "php"],
  // The code that became unreachable may be all that was added.
  trigger: /\S/,
  check: (root, { language }) => check(root, language),
};
