/** The node kinds of functions in each grammar, and the function around a node. */
import { nearestAncestor } from "./ancestors.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";

const JAVASCRIPT = [
  "function_declaration",
  "function_expression",
  "generator_function_declaration",
  "generator_function",
  "arrow_function",
  "method_definition",
];

/** Node kinds per language, because searching for a kind that a grammar doesn't have is an error. */
const FUNCTION_KINDS: Readonly<Record<string, readonly string[]>> = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  python: ["function_definition"],
  go: ["function_declaration", "method_declaration", "func_literal"],
  java: ["method_declaration", "constructor_declaration", "lambda_expression"],
  csharp: ["method_declaration", "constructor_declaration", "local_function_statement", "lambda_expression"],
  ruby: ["method", "singleton_method"],
  rust: ["function_item"],
  php: ["function_definition", "method_declaration", "anonymous_function", "arrow_function"],
};

const ALL_KINDS: ReadonlySet<string> = new Set(Object.values(FUNCTION_KINDS).flat());

export function functionKindsOf(language: string): readonly string[] {
  return FUNCTION_KINDS[language] ?? [];
}

/** The innermost function or closure around a node; null at the top level. */
export function functionAround(node: SyntaxNode): SyntaxNode | null {
  return nearestAncestor(node, (ancestor) => ALL_KINDS.has(ancestor.kind()));
}
