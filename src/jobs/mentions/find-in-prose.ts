/**
 * Finds the first of some lines that its author wrote as text, by the rules of CommonMark that matter for that. Not prose: quotes and the
 * lines that lazily continue them, lists, code blocks, code spans, HTML comments and HTML elements that hold code. When in doubt, a
 * line isn't prose. Pure, and linear in the length of the comment.
 */
import { createSpanFinder } from "./find-spans.ts";
import { readParagraphs } from "./read-paragraphs.ts";

export type CommentLines = {
  readonly lines: readonly string[];
  /** The comment goes on after these lines. */
  readonly isCut: boolean;
};

/** Returns the first value whose line is prose; null if there is none. The values are in the order of their lines. */
export function findInProse<Value>(
  { lines, isCut }: CommentLines,
  values: ReadonlyMap<number, Value>,
): Value | null {
  const { paragraphs, lineCount } = readParagraphs(lines, Math.max(...values.keys()));
  const isAll = lineCount === lines.length;
  const text = (isAll ? lines : lines.slice(0, lineCount)).join("\n");
  const spans = createSpanFinder(text, isCut && isAll);
  for (const { start, end, lineStarts } of paragraphs) {
    spans.enter(start, end);
    for (const { line, offset } of lineStarts) {
      const value = values.get(line);
      if (value !== undefined && !spans.covers(offset)) return value;
    }
    spans.leave();
  }
  return null;
}
