/** Chooses the blocks of a long file that have to do with a change: those with words of the change, the rarest words first. */
import { type BlockRange, cutBlock, joinRanges } from "../../../languages/cut-block.ts";

/** A longer function is cut around its words. */
const MAX_PIECE_LINES = 60;

/** A file of more lines is data, or too large for a pack anyway. */
const MAX_LINES = 20_000;

/** Longer lines are data. */
const MAX_LINE_CHARS = 2_000;

/** The number before a line, and the mark for the lines that are left out. */
const LINE_OVERHEAD_CHARS = 8;

const WORD = /[\w\u0080-\uffff]+/g;

type ScoredBlock = { readonly range: BlockRange; readonly words: Set<string>; score: number };

/**
 * In the order of the file, none touching another. Empty when no block with a word fits.
 * `words`: how much each word of the change says, as the words ranker weighs them. `first`: blocks that come before all others.
 */
export function choosePieces(
  lines: readonly string[],
  words: ReadonlyMap<string, number>,
  maxChars: number,
  first: readonly BlockRange[] = [],
): readonly BlockRange[] {
  let leftChars = maxChars;
  const chosen: BlockRange[] = [];
  for (const range of [...first, ...scoreBlocks(lines, words).map((block) => block.range)]) {
    const chars = charsOf(lines, range);
    if (chars > leftChars) continue;
    leftChars -= chars;
    chosen.push(range);
  }
  return joinRanges(chosen);
}

/** The best first. */
function scoreBlocks(lines: readonly string[], words: ReadonlyMap<string, number>): readonly ScoredBlock[] {
  const blocks = new Map<string, ScoredBlock>();
  for (const [index, text] of lines.slice(0, MAX_LINES).entries()) {
    if (text.length > MAX_LINE_CHARS) continue;
    let found: BlockRange | null = null;
    for (const word of text.match(WORD) ?? []) {
      const weight = words.get(word);
      if (weight === undefined) continue;
      found ??= blockAround(lines, index + 1);
      const range = found;
      const key = `${range.startLine}-${range.endLine}`;
      const block = blocks.get(key) ?? { range, words: new Set<string>(), score: 0 };
      blocks.set(key, block);
      if (block.words.has(word)) continue;
      block.words.add(word);
      block.score += weight;
    }
  }
  return [...blocks.values()].toSorted(
    (a, b) => b.score - a.score || a.range.startLine - b.range.startLine || a.range.endLine - b.range.endLine,
  );
}

/** A line that opens a block belongs to it; a statement outside of any block is a piece of its own. */
function blockAround(lines: readonly string[], line: number): BlockRange {
  const indent = indentOf(lines[line - 1] ?? "");
  const opens = indentOf(lines[line] ?? "") > indent;
  if (!opens)
    return indent === 0 ? { startLine: line, endLine: line } : cutBlock(lines, line, MAX_PIECE_LINES);
  const { startLine, endLine } = cutBlock(lines, line + 1, MAX_PIECE_LINES);
  return { startLine: Math.min(startLine, line), endLine };
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

function charsOf(lines: readonly string[], { startLine, endLine }: BlockRange): number {
  return lines
    .slice(startLine - 1, endLine)
    .reduce((sum, { length }) => sum + Math.min(length, MAX_LINE_CHARS) + LINE_OVERHEAD_CHARS, 0);
}
