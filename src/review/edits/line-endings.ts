/** Keeps the line endings of a file when its text is edited. Pure. */

/** The ending that every line has. Null for a text without lines, or with both kinds. */
export function lineEndingOf(text: string): "\n" | "\r\n" | null {
  const all = text.split("\n").length - 1;
  const windows = text.split("\r\n").length - 1;
  if (all === 0) return null;
  return windows === all ? "\r\n" : windows === 0 ? "\n" : null;
}

/** The text with the given endings. With null it stays as it is. */
export function withLineEnding(text: string, ending: "\n" | "\r\n" | null): string {
  if (ending === null) return text;
  const plain = text.replaceAll("\r\n", "\n");
  return ending === "\n" ? plain : plain.replaceAll("\n", "\r\n");
}
