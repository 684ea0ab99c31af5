/** The text of a line with one node of it replaced: a suggestion that touches nothing else. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import type { FileView } from "../rule.ts";

/** Nothing when the node spans several lines or its line is not known. Spread it into a match. */
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
