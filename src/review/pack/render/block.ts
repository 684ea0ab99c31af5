/**
 * Blocks, of which a pack consists. A block starts with a heading and ends with a line end, so no token spans two blocks and
 * the tokens of a pack are the sum of its blocks' tokens.
 */
import { backticksAround } from "../../../base/markdown.ts";
import { printable } from "../../../base/printable.ts";
import { languageOf } from "../../../languages/language-of.ts";

export type PackBlock = {
  readonly text: string;
  /** Secrets masked in it. */
  readonly masked: number;
  /** The lines of files that it shows. Omitted: none. */
  readonly shown?: readonly ShownLines[];
};

/** Lines of one file in a pack. Both ends count. */
export type ShownLines = { readonly path: string; readonly startLine: number; readonly endLine: number };

/** A text without its secrets. */
export type MaskedText = { readonly text: string; readonly masked: number };

/** Longer lines are data. Half of what a diff keeps of a line, so a secret at the cut is still recognized and masked. */
export const MAX_SHOWN_LINE_CHARS = 2_000;

const LINE_CONTINUES = " [… the line continues]";

/** A text between fences that are longer than any run of backticks in it. `heading` and `notes` are lines without marks. */
export function fencedBlock(
  level: 1 | 2,
  heading: string,
  content: { readonly masked: MaskedText; readonly language: string; readonly notes?: readonly string[] },
): PackBlock {
  const text = boundLines(content.masked.text);
  const fence = backticksAround(text, 3);
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  const notes = (content.notes ?? []).map((note) => `- ${note}\n`).join("");
  return {
    text: `${"#".repeat(level)} ${heading}\n\n${notes}${notes === "" ? "" : "\n"}${fence}${content.language}\n${text}${end}${fence}\n\n`,
    masked: content.masked.masked,
  };
}

/** A heading with a sentence of ours. */
export function plainBlock(heading: string, sentence: string): PackBlock {
  return { text: `# ${heading}\n\n${sentence}\n\n`, masked: 0 };
}

/** A path as it's shown in packs and manifests: on one line, without tabs. */
export function shownPath(path: string): string {
  return printable(path.replaceAll("\t", String.raw`\t`));
}

/** For the fence of a file; empty if unknown. */
export function fenceLanguage(path: string): string {
  const language = languageOf(path);
  return /^[a-z]{1,20}$/.test(language) && language !== "unknown" ? language : "";
}

function boundLines(text: string): string {
  if (text.length <= MAX_SHOWN_LINE_CHARS) return text;
  return text
    .split("\n")
    .map((line) => (line.length <= MAX_SHOWN_LINE_CHARS ? line : `${cutLine(line)}${LINE_CONTINUES}`))
    .join("\n");
}

/** Never between the halves of a character. */
function cutLine(line: string): string {
  const cut = line.slice(0, MAX_SHOWN_LINE_CHARS);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
