/** Statements that run one after the other, in every language, and those that never let the next one run. */
import type { SyntaxNode } from "../../syntax/syntax.ts";

/** Node kinds per language, because searching for a kind that a grammar doesn't have is an error. */
const LIST_KINDS: Readonly<Record<string, readonly string[]>> = {
  go: ["statement_list"],
  rust: ["block"],
  c: ["compound_statement", "case_statement"],
  cpp: ["compound_statement", "case_statement"],
  java: ["block", "switch_block_statement_group", "constructor_body"],
  csharp: ["block", "switch_section"],
  ruby: ["body_statement", "then", "else", "do", "begin", "block_body", "ensure"],
  php: ["compound_statement", "case_statement", "default_statement"],
};

/** Every list of statements of a tree, without comments. */
export function statementListsIn(root: SyntaxNode, language: string): readonly (readonly SyntaxNode[])[] {
  const kinds = LIST_KINDS[language] ?? [];
  if (kinds.length === 0) return [];
  return root
    .findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })
    .map((list) => list.namedChildren().filter((child) => !child.kind().includes("comment")));
}

/** `goto` isn't listed: its label can be inside the next statement. */
const LEAVING_KIND =
  /^(?:(?:return|throw|break|continue)_(?:statement|expression)|return|break|next|throw_expression|yield_break_statement)$/;

/** Calls that never return, as whole statements. */
const LEAVING_CALL: Readonly<Record<string, RegExp>> = {
  go: /^(?:panic|os\.Exit|log\.Fatal(?:f|ln)?|runtime\.Goexit)\(/,
  rust: /^(?:panic!|unreachable!|todo!|(?:std::)?process::(?:exit|abort))\s*\(/,
  c: /^(?:exit|abort|_exit)\s*\(/,
  cpp: /^(?:std::)?(?:exit|abort|terminate)\s*\(/,
  java: /^System\.exit\(/,
  csharp: /^Environment\.(?:Exit|FailFast)\(/,
  ruby: /^(?:raise|exit!?|abort)(?:[\s(]|$)/,
  php: /^(?:exit|die)\b/,
};

/** True when the statement after this one never runs. */
export function leaves(statement: SyntaxNode, language: string): boolean {
  const kind = statement.kind();
  if (LEAVING_KIND.test(kind)) return true;
  const isExpression = kind === "expression_statement";
  if (!isExpression && language !== "ruby") return false;
  const [inner] = isExpression ? statement.namedChildren() : [statement];
  if (inner === undefined) return false;
  if (LEAVING_KIND.test(inner.kind())) return true;
  const isCall = /call|macro_invocation|invocation|exit|identifier/.test(inner.kind());
  return isCall && LEAVING_CALL[language]?.test(inner.text()) === true;
}
