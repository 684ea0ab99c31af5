/**
 * Keeps the places in a comment that its author wrote as text, by the rules of CommonMark that matter for that. Not prose: quotes and the
 * lines that lazily continue them, headings, tables, code blocks, code spans, HTML comments and HTML elements that hold code. When in doubt,
 * a place isn't prose. Pure, and linear in the length of the comment.
 */
import { createSpanFinder } from "./find-spans.ts";
import { readParagraphs } from "./read-paragraphs.ts";

export type CommentLines = {
  readonly lines: readonly string[];
  /** The comment goes on after these lines. */
  readonly isCut: boolean;
};

/** The number of a line, and a place in it. */
type Place = { readonly at: number; readonly column: number };

/** `places` are in their order in the comment, and so is the result. */
export function keepProse<Kept extends Place>(
  { lines, isCut }: CommentLines,
  places: readonly Kept[],
): readonly Kept[] {
  const last = places.at(-1);
  if (last === undefined) return [];
  const byLine = new Map<number, Kept[]>();
  for (const place of places) {
    const others = byLine.get(place.at);
    if (others === undefined) byLine.set(place.at, [place]);
    else others.push(place);
  }
  const { paragraphs, lineCount } = readParagraphs(lines, last.at);
  const isAll = lineCount === lines.length;
  const text = (isAll ? lines : lines.slice(0, lineCount)).join("\n");
  const spans = createSpanFinder(text, isCut && isAll);
  const kept: Kept[] = [];
  for (const { start, end, lineStarts } of paragraphs) {
    spans.enter(start, end);
    for (const { line, offset, column } of lineStarts) {
      if (text[offset + column] === "|") continue;
      for (const place of byLine.get(line) ?? [])
        if (place.column >= column && !spans.covers(offset + place.column)) kept.push(place);
    }
    spans.leave();
  }
  return kept;
}
