/**
 * Makes Markdown from rules, models and repositories safe to publish. Paragraphs, flat lists, fenced code, code spans and
 * bold are kept. Everything else becomes plain text: no mention, cross-reference, link, image, HTML or bot command
 * survives. Text is parsed and written anew, so a forge can't interpret it differently than this module does. Answers keep more; see
 * render-answer.ts.
 */
import { backticksAround, createFenceReader } from "../../../base/markdown.ts";
import { printable } from "../../../base/printable.ts";

/** A longer body isn't a review comment; a cut is marked with an ellipsis. */
const MAX_MARKDOWN_CHARS = 4_000;

/** Zero-width space, to separate `@` from a name. Written as an entity, so that the published text has no invisible characters. */
export const BREAK = "&#8203;";

/** One pass over a text without code spans. Bounded repeats and matching only from the start of a word keep it linear. */
const LIVE = new RegExp(
  [
    /!?\[(?<label>[^[\]]{0,300})\]\((?<target>https?:\/\/[^\s()<>]{1,1000})\)/, // a link or image: its text and its address
    /(?<url>(?<![a-z0-9+.-])(?:[a-z0-9+.-]*:\/\/|www\.)[^\s<>`*|]*)/, // what a forge links by itself, from the word's start
    /(?<hex>(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z]))/, // what may be a commit
    /(?<reference>(?:\bGH-|#)(?=\d))/, // an issue, also in owner/repository#1
    /(?<mention>@)/,
    /(?<special>[\\`*_[\]<>&|~$])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

/** These characters have a meaning before or after Markdown processing, so a backslash isn't enough. */
const ENTITIES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", $: "&#36;" };

/** Bots read raw text, at the start of a line: `/approve`, `bors r+`. */
const BOT_COMMAND = /^\s{0,20}(?:\/[a-z]|::|(?:bors|homu|jenkins|recheck|retest|lgtm)\b)/i;

/** Several lines of untrusted Markdown. */
export function neutralise(text: string): string {
  const lines: string[] = [];
  const partOf = createFenceReader();
  let code: string[] | null = null;
  for (const line of cutMarkdown(text, MAX_MARKDOWN_CHARS).split(LINE_END)) {
    const part = partOf(line);
    if (part === "opening") code = [];
    else if (part === "code") code?.push(line);
    else if (code === null) lines.push(neutraliseLine(line));
    else {
      lines.push(...fence(code));
      code = null;
    }
  }
  if (code !== null) lines.push(...fence(code));
  return withoutGaps(lines);
}

export const LINE_END = /\r\n|\n|\r/;

/** The lines as one text, with at most one blank line between two others. */
export function withoutGaps(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** One line of untrusted text for a heading or a list item: keeps code spans and bold, starts no block. */
export function neutraliseInline(text: string): string {
  return neutraliseBlockStart(
    renderInline(tokenise(printable(cutMarkdown(text, MAX_MARKDOWN_CHARS).replaceAll(/\s+/g, " ").trim()))),
  );
}

/** A code span that holds exactly the text, including any backticks. */
export function codeSpan(text: string): string {
  const shown = printable(text);
  if (shown.trim() === "") return `\`"${shown}"\``;
  const ticks = backticksAround(shown, 1);
  const pad = ticks.length > 1 || shown.startsWith(" ") ? " " : "";
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

/** A fenced block as lines. Its fence is longer than any run of backticks inside; tabs are kept, because they are code. */
export function fence(code: readonly string[], language = ""): string[] {
  const shown = code.map((line) => {
    const safe = line.split("\t").map(printable).join("\t");
    return BOT_COMMAND.test(safe) || safe.startsWith("@") ? ` ${safe}` : safe;
  });
  const ticks = backticksAround(shown.join("\n"), 3);
  return ["", `${ticks}${language}`, ...shown, ticks, ""];
}

/** The beginning of a long text, marked with an ellipsis. */
export function cutMarkdown(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)} …`;
}

const LIST_ITEM = /^\s{0,12}(?:[-*+]|(?<number>\d{1,3})[.)])\s+(?=\S)/;

function neutraliseLine(line: string): string {
  const item = LIST_ITEM.exec(line);
  const rest = printable((item === null ? line : line.slice(item[0].length)).trim());
  const safe = neutraliseBlockStart(renderInline(tokenise(rest)));
  if (item === null) return safe;
  const number = item.groups?.["number"];
  return number === undefined ? `- ${safe}` : `${Number(number)}. ${safe}`;
}

/** Escapes the start of a line that would begin a heading, list, rule, quote, table or command. */
export function neutraliseBlockStart(line: string): string {
  if (BOT_COMMAND.test(line)) return line.startsWith("/") ? `&#47;${line.slice(1)}` : `${BREAK}${line}`;
  const numbered = /^(\d{1,9})[.)](?=\s|$)/.exec(line);
  if (numbered !== null) return `${numbered[1]}\\${line.slice(numbered[1]?.length)}`;
  return /^(?:#|[-+=])/.test(line) ? `\\${line}` : line;
}

type Token = { readonly kind: "text" | "code" | "bold"; readonly text: string };

/** Splits a line into code spans, bold marks and text. A run of backticks without an equal one after it is text. */
function tokenise(line: string): Token[] {
  const runs = [...line.matchAll(/`+/g)];
  const tokens: Token[] = [];
  let position = 0;
  for (const [index, run] of runs.entries()) {
    if (run.index < position) continue;
    const close = runs.slice(index + 1).find((other) => other[0].length === run[0].length);
    if (close === undefined) continue;
    tokens.push(...splitBold(line.slice(position, run.index)));
    const code = line.slice(run.index + run[0].length, close.index);
    tokens.push({ kind: "code", text: code.trim() === "" ? code : code.trim() });
    position = close.index + run[0].length;
  }
  return [...tokens, ...splitBold(line.slice(position))];
}

function splitBold(text: string): Token[] {
  return text
    .split(/(?<!\*)(\*\*)(?!\*)/)
    .filter((part) => part !== "")
    .map((part) => ({ kind: part === "**" ? "bold" : "text", text: part }));
}

function renderInline(tokens: readonly Token[]): string {
  const marks = tokens.filter(({ kind }) => kind === "bold").length;
  let seen = 0;
  const pieces = tokens.map(({ kind, text }) => {
    if (kind === "code") return codeSpan(text);
    if (kind === "text") return neutraliseText(text);
    seen++;
    // The last mark of an odd number has no partner.
    return marks % 2 === 1 && seen === marks ? "\\*\\*" : "**";
  });
  return joinPieces(pieces);
}

/** Joins safe pieces of a line, so that no two of them become something else together. */
export function joinPieces(pieces: readonly string[]): string {
  return pieces.reduce((line, piece) => {
    // Adjacent code spans would form one longer run of backticks, and their content would become live Markdown.
    const isRun = line.endsWith("`") && piece.startsWith("`");
    // A link after an exclamation mark would be an image.
    const isImage = line.endsWith("!") && piece.startsWith("[");
    return line + (isRun || isImage ? ` ${piece}` : piece);
  }, "");
}

type LiveGroup = "label" | "target" | "url" | "hex" | "reference" | "mention" | "special";

/** Text without code spans, with nothing alive in it. */
export function neutraliseText(text: string): string {
  return text.replace(LIVE, (...match) => {
    // With named groups in the pattern, the last argument is always their object.
    const groups = match.at(-1) as Partial<Record<LiveGroup, string>>;
    // Without its bracket the label must not join the text before it: `#[1](…)` must not become a link to an issue.
    if (groups.target !== undefined)
      return `${BREAK}${neutraliseText(groups.label ?? "")} (${codeSpan(groups.target)})`;
    if (groups.url !== undefined) return codeUrl(groups.url);
    if (groups.hex !== undefined) return codeSpan(groups.hex);
    if (groups.reference !== undefined) return `${groups.reference}${BREAK}`;
    if (groups.mention !== undefined) return `@${BREAK}`;
    const special = groups.special ?? "";
    return ENTITIES[special] ?? `\\${special}`;
  });
}

/** Punctuation after an address belongs to the sentence. */
function codeUrl(url: string): string {
  const address = url.replace(/[.,;:!?)'"\]]{1,10}$/, "");
  return `${codeSpan(address)}${neutraliseText(url.slice(address.length))}`;
}
