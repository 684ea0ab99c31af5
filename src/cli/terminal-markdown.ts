/** Markdown for a terminal: headings, lists, quotes and code as people read them. Everything in it is printable. */
import { createFenceReader } from "../base/markdown.ts";
import { printable } from "../base/printable.ts";
import { type Paint } from "../review/publication/render/ansi.ts";
import { wrapLine } from "../review/publication/render/terminal-text.ts";

export type MarkdownStyle = { readonly paint: Paint; readonly width: number };

/** Longer lines are hard to read. */
const MAX_WIDTH = 100;

const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/;
const ITEM = /^(\s{0,12}(?:[-*+]|\d{1,3}[.)])\s+)(.*)$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;

/** Whole lines; without the last line feed. Paragraphs flow. Tables and code keep their lines. */
export function renderTerminalMarkdown(text: string, { paint, width }: MarkdownStyle): string {
  const room = Math.min(width, MAX_WIDTH);
  const lines: string[] = [];
  let paragraph: { readonly lead: string; text: string } | null = null;
  const partOf = createFenceReader();
  const flush = (): void => {
    if (paragraph === null) return;
    const { lead } = paragraph;
    const wrapped = wrapLine(paragraph.text, Math.max(20, room - lead.length));
    lines.push(
      ...wrapped.map(
        (line, index) => `${index === 0 ? lead : " ".repeat(lead.length)}${styled(line, paint)}`,
      ),
    );
    paragraph = null;
  };
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const part = partOf(line);
    if (part !== "text" || line.trim() === "") {
      flush();
      if (part === "code") lines.push(`  ${paint.boldCyan(printable(line))}`);
      else if (part === "text") lines.push("");
      continue;
    }
    const heading = HEADING.exec(line)?.[1];
    const quote = QUOTE.exec(line)?.[1];
    const item = ITEM.exec(line);
    if (heading !== undefined || quote !== undefined || RULE.test(line) || line.trimStart().startsWith("|")) {
      flush();
      if (heading !== undefined) lines.push(paint.bold(printable(heading)));
      else if (quote !== undefined) lines.push(paint.dim(`│ ${printable(quote)}`));
      else
        lines.push(
          RULE.test(line) ? paint.dim("─".repeat(Math.min(room, 20))) : styled(printable(line), paint),
        );
    } else if (item !== null) {
      flush();
      paragraph = { lead: printable(item[1] ?? "").replace(/[-*+](?=\s)/, "•"), text: item[2] ?? "" };
    } else if (paragraph === null) {
      paragraph = { lead: "", text: line.trim() };
    } else {
      paragraph.text += ` ${line.trim()}`;
    }
  }
  flush();
  return lines.join("\n");
}

/** Code and bold in a line that is safe to print. A pair that a line break separates keeps its marks. */
function styled(line: string, paint: Paint): string {
  return line
    .split(/(`[^`]+`)/)
    .map((piece, index) =>
      index % 2 === 1
        ? paint.boldCyan(piece.slice(1, -1))
        : piece.replaceAll(/\*\*([^*]+)\*\*/g, (_, words: string) => paint.bold(words)),
    )
    .join("");
}
