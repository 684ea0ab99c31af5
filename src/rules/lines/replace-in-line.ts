/** Replaces one node in the text of its line: a suggestion that changes nothing else. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { FileView } from "../rule.ts";

/** Spread the result into a match. It's empty when the node spans several lines or its line is unknown. */
export function replaceInLine(
  file: FileView,
  node: SyntaxNode,
  replacement: string,
): { readonly suggestion?: string } {
  const { start, end } = node.range();
  const line = file.lines?.[start.line];
  if (line === undefined || start.line !== end.line) return {};
  return { suggestion: `${line.slice(0, start.column)}${replacement}${line.slice(end.column)}` };
}
