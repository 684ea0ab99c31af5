/** The indentation of code, and whether a replacement keeps it. */

/** The smallest indentation of the non-blank lines. */
export function indentationOf(lines: readonly string[]): string {
  return indents(lines).toSorted((a, b) => a.length - b.length)[0] ?? "";
}

/**
 * The first or the least indented line must keep its indentation: a block can be opened, closed or wrapped, but not shifted. Blank
 * lines are ignored.
 */
export function keepsIndentation(current: readonly string[], replacement: readonly string[]): boolean {
  const [before, after] = [indents(current), indents(replacement)];
  if (before.length === 0 || after.length === 0) return true;
  return before[0] === after[0] || indentationOf(current) === indentationOf(replacement);
}

function indents(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
}
