/**
 * Finds the command in a comment that addresses Kodiai: `@kodiai …` or `/kodiai …` at the start of a line. Text that cites instead of
 * addressing (quotes, code, HTML comments, lists) is ignored. Pure, and linear in what it looks at.
 */
import { escapePattern } from "../../base/escape-pattern.ts";
import { type MentionCommand, MAX_WORDS_CHARS } from "./command.ts";
import type { Words } from "./command-spec.ts";
import { ALL_COMMANDS } from "./commands/all-commands.ts";
import { unknownCommand } from "./commands/unknown-command.ts";
import { type CommentLines, findInProse } from "./find-in-prose.ts";

/** An address further down in a long comment is ignored, so that a hostile comment costs no time. */
const MAX_LINES = 200;
const MAX_CHARS = 20_000;

/** A comment that cites this many addresses without giving a command gives none further down. */
const MAX_ADDRESSES = 20;

/** More than the longest greeting and name. GitHub allows 34 characters in an app's name. */
const MAX_NAME_CHARS = 100;

/** Null when the comment doesn't address Kodiai. Only its first address counts. */
export function parseMention(body: string, slug: string): MentionCommand | null {
  const comment = firstLines(body);
  const addresses = readAddresses(comment.lines, slug);
  // Without any, as usual, its Markdown makes no difference.
  if (addresses.size === 0) return null;
  const address = findInProse(comment, addresses);
  return address === null ? null : parseCommand(wordsOf(address, comment.lines));
}

function firstLines(body: string): CommentLines {
  const head = body.slice(0, MAX_CHARS);
  const lines = head.includes("\r") ? head.split(/\r\n?|\n/, MAX_LINES + 1) : head.split("\n", MAX_LINES + 1);
  if (lines.length > MAX_LINES) return { lines: lines.slice(0, MAX_LINES), isCut: true };
  const isCut = body.length > MAX_CHARS;
  // The last line is incomplete, and may mean something else. If it is longer than any command, that makes no difference.
  if (isCut && (lines.at(-1)?.length ?? 0) < MAX_NAME_CHARS + MAX_WORDS_CHARS) lines.pop();
  return { lines, isCut };
}

/** "Thanks @kodiai" ends a conversation. "Hey @kodiai" begins one, so the words may be below it. */
const GREETING = "(?:(hey|hi|hello)|(ok|okay|thanks|thank you))[,!.]? +";

/** Other characters after a name make it another one: `@kodiai-dev`, `/kodiai/src`. */
const END = String.raw`(?=[ \t\u00a0\u3000,:]|[.;!?](?:[ \t]|$)|$)[.,:;!?]?`;

/** `at` is the number of the line, and `rest` the line after the name. */
type Address = { readonly at: number; readonly rest: string };

/** The codes of the characters that a line with an address starts with. The pattern alone would be slower. */
const STARTS: ReadonlySet<number> = new Set(Buffer.from(" @/hHoOtT"));

/** By the numbers of their lines. */
function readAddresses(lines: readonly string[], slug: string): ReadonlyMap<number, Address> {
  const addresses = new Map<number, Address>();
  // Without the flag `u`, letters outside ASCII never match those of ASCII in another case.
  const pattern = new RegExp(
    `^ {0,3}(?:${GREETING})?(?:@${escapePattern(slug)}(?:\\[bot\\])?|/kodiai)${END}`,
    "i",
  );
  for (let at = 0; at < lines.length && addresses.size < MAX_ADDRESSES; at++) {
    const line = lines[at] ?? "";
    const match = STARTS.has(line.charCodeAt(0)) ? pattern.exec(line) : null;
    if (match === null) continue;
    const rest = line.slice(match[0].length);
    const isAlone = rest.trim() === "";
    if (isAlone && match[2] !== undefined) continue;
    if (isAlone && match[1] !== undefined && lines.slice(at + 1).every((below) => below.trim() === ""))
      continue;
    addresses.set(at, { at, rest });
  }
  return addresses;
}

function wordsOf({ at, rest }: Address, lines: readonly string[]): Words {
  const line = cut(rest);
  const text = line.length === MAX_WORDS_CHARS ? line : cut([rest, ...lines.slice(at + 1)].join("\n"));
  const please = /^please(?:,\s*|\s+)/i.exec(line)?.[0].length ?? 0;
  return { line: line.slice(please), text: text.slice(please) };
}

function cut(text: string): string {
  return text.trimStart().slice(0, MAX_WORDS_CHARS).toWellFormed().trimEnd();
}

function parseCommand(words: Words): MentionCommand {
  for (const spec of Object.values(ALL_COMMANDS)) {
    const command = spec.parse(words);
    if (command !== null) return command;
  }
  return unknownCommand.parse(words);
}
