/**
 * Renders the blocks of a model's answer as safe Markdown: paragraphs, nested lists, quotes, tables, fenced code with its language.
 * Headings become bold lines. Structure is written anew with our own indent, so that a forge reads the same blocks as this module. Pure.
 */
import { createFenceReader, readIndent } from "../../../base/markdown.ts";
import { type AnswerLinks, renderAnswerCell, renderAnswerLine } from "./answer-inline.ts";
import { fence, neutraliseBlockStart } from "./safe-markdown.ts";

/** Names after the marks of a fence that only color the code. Others, such as `suggestion` or `mermaid`, make it act. */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    "asm astro awk bash bat c clojure cmake console cpp cs csharp css csv dart diff docker dockerfile elixir erlang fish fsharp gleam go " +
    "graphql groovy haskell hcl html http ini java javascript js json json5 jsonc jsx julia kotlin kt less lisp lua make makefile markdown " +
    "md nginx nim nix ocaml perl php plaintext powershell prisma proto protobuf ps1 py python r rb regex rs ruby rust sass scala scheme " +
    "scss sh shell sql svelte swift tcl terraform text tf toml ts tsx txt typescript vb vim vue xml yaml yml zig zsh"
  ).split(" "),
);

/** A fence in a nested list is indented. */
const MAX_FENCE_INDENT = 16;

/** Deeper items are shown on this level. */
const MAX_DEPTH = 5;

/** Deeper quotes are shown on this level. */
const MAX_QUOTES = 3;

const MAX_COLUMNS = 20;

const ITEM = /^(?:[-*+]|(?<number>\d{1,3})[.)])[ \t]+(?=\S)/;
const QUOTE = /^\s{0,12}> ?/;

/** A fence right after the marker of an item. */
const FENCED_ITEM = /^(\s{0,12}(?:[-*+]|\d{1,3}[.)])[ \t]{1,4})(?=`{3}|~{3})/;
const HEADING = /^ {0,3}#{1,6}[ \t]+(?<words>[^#]{1,200})#{0,6}\s*$/;
const DELIMITER = /^:?-{1,100}:?$/;

/** An open item of a list. */
type Item = {
  /** The column of its marker in the source. */
  readonly column: number;
  readonly isNumbered: boolean;
  /** Spaces that the lines of its content begin with. */
  readonly indent: string;
};

export function renderAnswerBlocks(lines: readonly string[], links: AnswerLinks, quotes = 0): string[] {
  const out: string[] = [];
  let items: Item[] = [];
  /** A line that isn't indented ends the list, if a blank line or a block is before it. */
  let isAfterGap = true;
  const indentAt = (column: number): string => {
    if (isAfterGap) items = items.slice(0, ownersOf(items, column));
    return items.at(-1)?.indent ?? "";
  };
  const addBlock = (block: readonly string[], column: number): void => {
    isAfterGap = true;
    const indent = indentAt(column);
    out.push("", ...block.map((line) => (line === "" ? "" : indent + line)), "");
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const { index, column } = readIndent(line);
    const text = line.slice(index);
    const code = readFence(lines, at);
    const table = readTable(lines, at);
    const quote = quotes < MAX_QUOTES ? readQuote(lines, at) : null;
    const item = ITEM.exec(text);
    if (text === "") {
      out.push("");
      isAfterGap = true;
    } else if (code !== null) {
      addBlock(fence(code.lines, code.language), column);
      at = code.end;
    } else if (table !== null) {
      addBlock(renderTable(table.rows, links), column);
      at = table.end;
    } else if (quote !== null) {
      const inner = renderAnswerBlocks(quote.lines, links, quotes + 1);
      addBlock(
        trimGaps(inner).map((each) => `> ${each}`.trimEnd()),
        column,
      );
      at = quote.end;
    } else if (item !== null) {
      const number = item.groups?.["number"];
      const isNumbered = number !== undefined;
      const parents = items.slice(0, Math.min(ownersOf(items, column), MAX_DEPTH - 1));
      const sibling = items[parents.length];
      const isNew = sibling === undefined || sibling.isNumbered !== isNumbered;
      const indent = parents.at(-1)?.indent ?? "";
      const shown = isNumbered ? `${Number(number)}.` : "-";
      // Only a blank line lets a list start with any number.
      if (isNew && isNumbered && Number(number) !== 1) out.push("");
      out.push(`${indent}${shown} ${renderLine(text.slice(item[0].length), links)}`);
      items = [...parents, { column, isNumbered, indent: indent + " ".repeat(shown.length + 1) }];
      isAfterGap = false;
    } else {
      const indent = indentAt(column);
      out.push(indent + renderLine(boldHeading(line), links));
      isAfterGap = false;
    }
  }
  return out;
}

/** How many of the open items an indented line belongs to. */
function ownersOf(items: readonly Item[], column: number): number {
  return items.findLastIndex((item) => column >= item.column + 2) + 1;
}

function renderLine(text: string, links: AnswerLinks): string {
  return neutraliseBlockStart(renderAnswerLine(text, links));
}

/** A heading would be larger than the rest of the comment. */
function boldHeading(line: string): string {
  const bare = (HEADING.exec(line)?.groups?.["words"] ?? "").replaceAll("**", "").trim();
  return bare === "" ? line : `**${bare}**`;
}

type Block = { readonly lines: readonly string[]; /** Its last line. */ readonly end: number };

/** An unclosed block lasts to the end. */
function readFence(lines: readonly string[], at: number): (Block & { readonly language: string }) | null {
  const partOf = createFenceReader(MAX_FENCE_INDENT);
  const opening = (lines[at] ?? "").replace(FENCED_ITEM, (marker) => " ".repeat(marker.length));
  if (partOf(opening) !== "opening") return null;
  const { column } = readIndent(opening);
  const name = /^\s*(?:`+|~+)\s*(?<name>[\w+#-]{1,20})/.exec(opening)?.groups?.["name"]?.toLowerCase() ?? "";
  const language = LANGUAGES.has(name) ? name : "";
  const code: string[] = [];
  for (let end = at + 1; end < lines.length; end++) {
    const line = lines[end] ?? "";
    if (partOf(line) === "closing") return { lines: code, language, end };
    // Its own indent isn't part of the code.
    code.push(line.slice(Math.min(column, readIndent(line).index)));
  }
  return { lines: code, language, end: lines.length };
}

function readQuote(lines: readonly string[], at: number): Block | null {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end] ?? "")) end++;
  if (end === at) return null;
  return { lines: lines.slice(at, end).map((line) => line.replace(QUOTE, "")), end: end - 1 };
}

type Table = { readonly rows: readonly (readonly string[])[]; readonly end: number };

/** The rows, of which the second one has the alignments. */
function readTable(lines: readonly string[], at: number): Table | null {
  const [head, delimiter] = [lines[at] ?? "", lines[at + 1] ?? ""];
  if (!head.includes("|") || !delimiter.includes("|")) return null;
  const rows = [cellsOf(head), cellsOf(delimiter)];
  const columns = rows[0]?.length ?? 0;
  if (columns !== rows[1]?.length || columns > MAX_COLUMNS) return null;
  if (!rows[1].every((cell) => DELIMITER.test(cell))) return null;
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? "").includes("|")) rows.push(cellsOf(lines[end++] ?? ""));
  // The last cell has what is too much, so that nothing is lost.
  return {
    rows: rows.map((cells) => [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(" ")]),
    end: end - 1,
  };
}

/** Only a bar without a backslash ends a cell. */
function cellsOf(line: string): readonly string[] {
  const bare = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return bare.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}

function renderTable([head = [], alignments = [], ...rows]: Table["rows"], links: AnswerLinks): string[] {
  const render = (cells: readonly string[]): string =>
    `| ${head.map((_, index) => renderAnswerCell(cells[index] ?? "", links)).join(" | ")} |`;
  const marks = alignments.map(
    (cell) => `${cell.startsWith(":") ? ":" : "-"}-${cell.endsWith(":") ? ":" : "-"}`,
  );
  return [render(head), `| ${marks.join(" | ")} |`, ...rows.map(render)];
}

function trimGaps(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line !== "");
  return from === -1 ? [] : lines.slice(from, lines.findLastIndex((line) => line !== "") + 1);
}
