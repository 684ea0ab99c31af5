/**
 * The code blocks of Markdown, by the rules of CommonMark: which lines are fenced, and the marks that hold a text. Pure, and linear in
 * the length of the text.
 */

/** Text with this indent is code, or continues a paragraph. Tabs go to the next multiple of it. */
export const CODE_INDENT = 4;

/** The first character of a line that isn't blank. */
export type Indent = { readonly index: number; readonly column: number };

export function readIndent(line: string, from: Indent = { index: 0, column: 0 }): Indent {
  let { index, column } = from;
  for (; index < line.length; index++) {
    const character = line[index];
    if (character === " ") column++;
    else if (character === "\t") column += CODE_INDENT - (column % CODE_INDENT);
    else break;
  }
  return { index, column };
}

/** The marks that open a code block, if `text` starts with them. It is a line without its indent. */
export function openingMarks(text: string): string | null {
  // Backticks after those of a fence make it a code span.
  const [, backticks, tildes] = /^(?:(`{3,})[^`]*$|(~{3,}))/.exec(text) ?? [];
  return backticks ?? tildes ?? null;
}

/** True for marks of the same kind that are at least as many, with no text after them. */
export function closesFence(opening: string, text: string): boolean {
  return text.startsWith(opening) && /^(`+|~+)[ \t]*$/.test(text);
}

export type MarkdownLine = "text" | "opening" | "code" | "closing";

/**
 * Reads lines in their order and returns what each is. An unclosed block lasts to the end. `maxIndent`: the largest indent of a fence.
 * Callers that read no lists allow more than CommonMark does outside of them.
 */
export function createFenceReader(maxIndent = CODE_INDENT - 1): (line: string) => MarkdownLine {
  let opening: string | null = null;
  return (line) => {
    const { index, column } = readIndent(line);
    const marks = column <= maxIndent ? line.slice(index) : "";
    if (opening === null) {
      opening = openingMarks(marks);
      return opening === null ? "text" : "opening";
    }
    if (!closesFence(opening, marks)) return "code";
    opening = null;
    return "closing";
  };
}

/** More backticks than any run of them in the text, and at least `min`: for a fence or a code span around it. */
export function backticksAround(text: string, min: number): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), min));
}

/** As GitHub renders it: an unclosed comment hides the rest. */
export function withoutHtmlComments(text: string): string {
  const kept: string[] = [];
  let position = 0;
  for (;;) {
    const start = text.indexOf("<!--", position);
    if (start === -1) break;
    kept.push(text.slice(position, start));
    const end = text.indexOf("-->", start + 4);
    if (end === -1) return kept.join("");
    position = end + 3;
  }
  kept.push(text.slice(position));
  return kept.join("");
}
