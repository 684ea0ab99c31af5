/**
 * Renders one line of a model's answer as safe Markdown: code spans, emphasis, and links to places in the repository. Everything else is
 * text with nothing alive in it. The line is parsed and written anew. Pure, and linear in the length of the line but for nested marks.
 */
import { printable } from "../../../base/printable.ts";
import { CITATION_IN_TEXT, parseCitation } from "./citation.ts";
import { BREAK, codeSpan, joinPieces, neutraliseText } from "./safe-markdown.ts";

export type AnswerLinks = {
  /** A link to the place that a text names, which is shown as code; null: it names none. */
  readonly toPlace: (text: string) => string | null;
  /** A link to what the target of a model's own link names in this repository; null: it names nothing here. `label` is safe Markdown. */
  readonly toTarget: (target: string, label: string) => string | null;
};

type Mark = {
  readonly kind: "mark";
  readonly text: string;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  isPaired: boolean;
};

type Token =
  | { readonly kind: "text" | "code"; readonly text: string }
  /** Safe Markdown. */
  | { readonly kind: "safe"; readonly text: string }
  | { readonly kind: "link"; readonly label: string; readonly isCode: boolean; readonly target: string }
  | Mark;

/** The parts of a line that aren't plain text. A label is text or one code span, without brackets. */
const SPECIAL =
  /\\(?<escaped>[!-/:-@[-`{-~])|\[(?<tick>`?)(?<label>[^`[\]]{1,300})\k<tick>\]\((?<target>[^\s()<>]{1,1000})\)|(?<ticks>`+)|(?<mark>\*+|_+|~+)/g;

export function renderAnswerLine(line: string, links: AnswerLinks): string {
  return joinPieces(render(scan(printable(line.trim())), links));
}

/** A cell of a table. Only an odd number of backslashes before a bar keeps it from ending the cell, in code too. */
export function renderAnswerCell(cell: string, links: AnswerLinks): string {
  return renderAnswerLine(cell, links).replaceAll(/(?<slashes>\\*)\|/g, (bar, slashes: string) => {
    if (slashes.length % 2 === 1) return bar;
    return slashes === "" ? "\\|" : `${slashes} \\|`;
  });
}

function scan(line: string): Token[] {
  const tokens: Token[] = [];
  let text = "";
  let at = 0;
  const add = (token: Token): void => {
    if (text !== "") tokens.push({ kind: "text", text });
    text = "";
    tokens.push(token);
  };
  SPECIAL.lastIndex = 0;
  for (let match = SPECIAL.exec(line); match !== null; match = SPECIAL.exec(line)) {
    const { 0: found, index, groups = {} } = match;
    const { escaped, label, tick, target, ticks, mark } = groups;
    text += line.slice(at, index);
    at = index + found.length;
    if (escaped !== undefined) text += escaped;
    else if (label !== undefined && target !== undefined)
      add({ kind: "link", label, isCode: tick === "`", target });
    else if (ticks !== undefined) {
      const end = closingRun(line, ticks, at);
      if (end === -1) text += ticks;
      else {
        const code = line.slice(at, end);
        add({ kind: "code", text: code.trim() === "" ? code : code.trim() });
        at = end + ticks.length;
      }
    } else if (mark !== undefined) add(toMark(mark, line, index));
    SPECIAL.lastIndex = at;
  }
  text += line.slice(at);
  if (text !== "") tokens.push({ kind: "text", text });
  return tokens;
}

/** Where the next run of exactly these backticks is; -1 for none. */
function closingRun(line: string, ticks: string, from: number): number {
  for (let at = line.indexOf(ticks, from); at !== -1; at = line.indexOf(ticks, at)) {
    let end = at;
    while (line[end] === "`") end++;
    if (end - at === ticks.length) return at;
    at = end;
  }
  return -1;
}

const LETTER = /[\p{L}\p{N}]/u;
const SPACE = /\s/;

/** Bold may be inside of a word. The others may not: `snake_case` and `2*3*4` aren't emphasis. */
function toMark(
  text: string,
  line: string,
  index: number,
): Mark | { readonly kind: "text"; readonly text: string } {
  if (!["*", "_", "**", "__", "~~"].includes(text)) return { kind: "text", text };
  const before = line[index - 1] ?? " ";
  const after = line[index + text.length] ?? " ";
  const mayBeInWord = text === "**";
  return {
    kind: "mark",
    text,
    canOpen: !SPACE.test(after) && (mayBeInWord || !LETTER.test(before)),
    canClose: !SPACE.test(before) && (mayBeInWord || !LETTER.test(after)),
    isPaired: false,
  };
}

/** Pairs marks of the same kind; what is between two others stays inside of them. */
function pairMarks(tokens: readonly Token[]): void {
  const open: Mark[] = [];
  for (const token of tokens) {
    if (token.kind !== "mark") continue;
    const from = token.canClose ? open.findLastIndex(({ text }) => text === token.text) : -1;
    const opening = open[from];
    if (opening !== undefined) {
      opening.isPaired = true;
      token.isPaired = true;
      open.length = from;
    } else if (token.canOpen) open.push(token);
  }
}

function render(tokens: readonly Token[], links: AnswerLinks): readonly string[] {
  pairMarks(tokens);
  const pieces: string[] = [];
  let text = "";
  // Unpaired marks and text are made safe together, because together they may be alive.
  const flush = (): void => {
    if (text !== "") pieces.push(renderText(text, links));
    text = "";
  };
  for (const token of tokens.flatMap((each) => resolveLink(each, links))) {
    if (token.kind === "text" || (token.kind === "mark" && !token.isPaired)) {
      text += token.text;
      continue;
    }
    flush();
    if (token.kind === "code") pieces.push(links.toPlace(token.text) ?? codeSpan(token.text));
    else if (token.kind !== "link") pieces.push(token.text);
  }
  flush();
  return pieces;
}

/** A link to a place here, or its text and its address as code. */
function resolveLink(token: Token, links: AnswerLinks): readonly Token[] {
  if (token.kind !== "link") return [token];
  const { label, isCode, target } = token;
  // Models sometimes link a place themselves. The place remains, and becomes our link.
  if (parseCitation(label) !== null) return [{ kind: "code", text: label }];
  const shown: Token = { kind: isCode ? "code" : "text", text: label };
  const link = links.toTarget(target, isCode ? codeSpan(label) : neutraliseText(label));
  if (link !== null) return [{ kind: "safe", text: link }];
  // Without its bracket the label must not join the text before it: `#[1](…)` must not become a link to an issue.
  if (/^https?:\/\//i.test(target))
    return [
      { kind: "safe", text: BREAK },
      shown,
      { kind: "text", text: " (" },
      { kind: "safe", text: codeSpan(target) },
      { kind: "text", text: ")" },
    ];
  return [{ kind: "text", text: "[" }, shown, { kind: "text", text: `](${target})` }];
}

function renderText(text: string, { toPlace }: AnswerLinks): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(CITATION_IN_TEXT)) {
    const place = toPlace(found);
    if (place === null) continue;
    pieces.push(neutraliseText(text.slice(end, index)), place);
    end = index + found.length;
  }
  return joinPieces([...pieces, neutraliseText(text.slice(end))]);
}
