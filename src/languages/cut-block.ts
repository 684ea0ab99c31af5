/** Finds the lines around a place that belong together, by indentation alone: for tests and for languages without a parser. */

export type BlockRange = { readonly startLine: number; readonly endLine: number };

/** Of a line that isn't blank. Tabs count as one, which is enough to compare the lines of one file. */
function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The largest block around the line with at most `maxLines` lines; the lines next to it when there is none. */
export function cutBlock(lines: readonly string[], line: number, maxLines: number): BlockRange {
  let best = around(lines, line, Math.floor(maxLines / 4));
  let indent = indentOf(lines[line - 1] ?? "");
  while (indent > 0) {
    const first = findOuter(lines, line, indent, -1, maxLines);
    if (first === null) break;
    indent = indentOf(lines[first - 1] ?? "");
    const next = findOuter(lines, line, indent + 1, 1, maxLines);
    const endLine = next === null ? lines.length : endOf(lines, next, indent);
    if (endLine - first + 1 > maxLines) break;
    best = { startLine: first, endLine };
  }
  return best;
}

/** The next line with less indentation, before or after; null when it is too far away. */
function findOuter(
  lines: readonly string[],
  line: number,
  indent: number,
  step: 1 | -1,
  maxLines: number,
): number | null {
  for (let each = line + step; each >= 1 && each <= lines.length; each += step) {
    if (Math.abs(each - line) > maxLines) return null;
    const text = lines[each - 1] ?? "";
    if (text.trim() !== "" && indentOf(text) < indent) return each;
  }
  return null;
}

/** A closing bracket belongs to the block; another statement doesn't. */
function endOf(lines: readonly string[], next: number, indent: number): number {
  const text = lines[next - 1] ?? "";
  return /^[)\]}]|^end\b/.test(text.trimStart()) && indentOf(text) === indent ? next : next - 1;
}

function around(lines: readonly string[], line: number, count: number): BlockRange {
  return { startLine: Math.max(1, line - count), endLine: Math.min(lines.length, line + count) };
}

/** Ranges that touch become one. In the order of the file. */
export function joinRanges(ranges: readonly BlockRange[]): readonly BlockRange[] {
  const joined: BlockRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.startLine - b.startLine || a.endLine - b.endLine)) {
    const last = joined.at(-1);
    if (last === undefined || range.startLine > last.endLine + 1) joined.push(range);
    else joined[joined.length - 1] = { ...last, endLine: Math.max(last.endLine, range.endLine) };
  }
  return joined;
}
