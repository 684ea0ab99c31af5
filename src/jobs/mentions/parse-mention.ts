/**
 * Reads the commands in a comment that addresses Kodiai, in their order. Everything else is a question. Commands that write or settle
 * something count only where the comment clearly gives an order. Pure, and linear in what it looks at.
 */
import { type MentionCommand, MAX_WORDS_CHARS } from "./command.ts";
import type { Words } from "./command-spec.ts";
import { ALL_COMMANDS } from "./commands/all-commands.ts";
import { thanksCommand } from "./commands/thanks-command.ts";
import { COMMAND_NAMES } from "./commands/unknown-command.ts";
import { type MentionAddress, findAddresses } from "./find-addresses.ts";
import type { CommentLines } from "./keep-prose.ts";

/** An address further down in a long comment is ignored, so that a hostile comment costs no time. */
const MAX_LINES = 200;
const MAX_CHARS = 20_000;

/** More than the longest greeting and name. GitHub allows 34 characters in an app's name. */
const MAX_NAME_CHARS = 100;

/** Each is a job with an answer of its own. */
const MAX_COMMANDS = 5;

/** In the description of a pull request or an issue, the middle of a sentence counts for nothing: templates mention bots there. */
type MentionSource = "comment" | "description";

/** Empty when the text doesn't address Kodiai. */
export function parseMentions(
  body: string,
  slug: string,
  source: MentionSource = "comment",
): readonly MentionCommand[] {
  const comment = firstLines(body);
  const addresses = findAddresses(comment, slug);
  const direct = addresses.filter(({ position }) => position !== "passing");
  const [passing] = addresses;
  if (passing === undefined) return [];
  if (direct.length > 0) return joinCommands(direct.map((_, index) => parseAt(index, direct, comment.lines)));
  if (source === "description" || isForOthers(passing, comment.lines)) return [];
  const command = parsePassing(passing, comment.lines);
  return command === null ? [] : [command];
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

/** Null for an address without words: a greeting, or "cc". */
function parseAt(
  index: number,
  direct: readonly MentionAddress[],
  lines: readonly string[],
): MentionCommand | null {
  const address = direct[index];
  if (address === undefined) throw new TypeError("the index is within the list");
  const words = wordsOf(address, direct[index + 1] ?? null, lines);
  const above = index === 0 ? textAbove(address, lines) : "";
  const isThanks = /\b(?:thanks|thank you|thx|ty)\b/i.test(address.lead);
  if (words.text === "") {
    if (isThanks) return { kind: "thanks" };
    if (above !== "" && isSentence(above)) return { kind: "ask", question: cut(above) };
    return /\p{L}/u.test(address.lead.replaceAll(/\bplease\b/gi, "")) || index > 0
      ? null
      : parseCommand(words);
  }
  const command = parseCommand(words);
  if (command.kind === "unknown" || command.kind === "ask" || isOrderInPassing(command, address)) {
    if (isThanks) {
      const thanks = thanksCommand.parse(prefixed("thanks ", words));
      if (thanks !== null) return thanks;
    }
    // "please implement" is a sentence, and a typo isn't.
    if (command.kind === "unknown" && !(isPolite(address) && !COMMAND_NAMES.includes(command.word)))
      return command;
    const question = command.kind === "ask" ? command.question : words.text;
    return { kind: "ask", question: withContext(above, question) };
  }
  return command;
}

function isPolite({ rest }: MentionAddress): boolean {
  return /^\s*(?:please|pls|kindly)\s+\p{L}/iu.test(rest);
}

/** Orders that write or settle something, after a colon or a dash: they may be cited. */
function isOrderInPassing({ kind }: MentionCommand, { position }: MentionAddress): boolean {
  return position !== "start" && ALL_COMMANDS[kind].who === "writer";
}

/** The comment addresses someone else, and only mentions the app. */
function isForOthers({ at }: MentionAddress, lines: readonly string[]): boolean {
  const first = lines.slice(0, at + 1).find((line) => line.trim() !== "") ?? "";
  return /^\s*(?:hey |hi |hello )?@[\w-]+/i.test(first);
}

/** A mention in the middle of a sentence: all of the comment is the question. */
function parsePassing({ at, column, rest }: MentionAddress, lines: readonly string[]): MentionCommand | null {
  const line = lines[at] ?? "";
  const before = line.slice(0, column);
  const text = cut([`${before}${rest}`, ...lines.slice(at + 1)].join("\n"));
  const thanks = thanksCommand.parse({ line: text.split("\n", 1)[0] ?? "", text });
  if (thanks !== null) return thanks;
  const question = cut(lines.join("\n"));
  return isSentence(question) ? { kind: "ask", question } : null;
}

function isSentence(text: string): boolean {
  return /\p{L}/u.test(text);
}

/** Joins what belongs together: several questions are one, and a thank you next to a command needs no answer. */
function joinCommands(parsed: readonly (MentionCommand | null)[]): readonly MentionCommand[] {
  const commands: MentionCommand[] = [];
  for (const command of parsed) {
    const last = commands.at(-1);
    if (command === null) continue;
    if (last === undefined || last.kind === "thanks" || last.kind === "unknown") {
      commands.splice(-1, 1, command);
    } else if (command.kind === "ask" && last.kind === "ask") {
      commands.splice(-1, 1, { kind: "ask", question: cut(`${last.question}\n\n${command.question}`) });
    } else if (
      command.kind !== "thanks" &&
      command.kind !== "unknown" &&
      !commands.some((each) => isSame(each, command))
    ) {
      commands.push(command);
    }
  }
  return commands.slice(0, MAX_COMMANDS);
}

function isSame(one: MentionCommand, other: MentionCommand): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The words of an address end where the next one begins. */
function wordsOf(
  { at, rest, column }: MentionAddress,
  next: MentionAddress | null,
  lines: readonly string[],
): Words {
  const isSameLine = next?.at === at;
  const end = next === null ? lines.length : next.at;
  const own = isSameLine ? rest.slice(0, rest.length - ((lines[at] ?? "").length - leadStart(next))) : rest;
  const below = next === null || isSameLine ? [] : [(lines[end] ?? "").slice(0, leadStart(next))];
  const line = cut(own);
  const text =
    line.length === MAX_WORDS_CHARS ? line : cut([own, ...lines.slice(at + 1, end), ...below].join("\n"));
  const isClosed = (lines[at] ?? "").slice(0, column).trimEnd().endsWith("(");
  return withoutPoliteness(
    isClosed ? { line: withoutParenthesis(line), text: withoutParenthesis(text) } : { line, text },
  );
}

/** The greeting before the next address belongs to that one. */
function leadStart({ column, lead }: MentionAddress): number {
  return Math.max(0, column - lead.length);
}

function withoutParenthesis(text: string): string {
  return text.replace(/\)[.!]?$/, "");
}

const POLITENESS = /^(?:[-–—>]\s+|(?:please|pls|kindly|then|now|and)(?:,\s*|\s+)|\/(?=[a-z]))/i;

/** "@kodiai @other please review" addresses both. */
const OTHER_NAMES = /^(?:(?:and\s+)?@[\w/-]+(?:\[bot\])?[,:]?\s+)+/i;

function withoutPoliteness({ line, text }: Words): Words {
  const names = OTHER_NAMES.exec(line)?.[0].length ?? 0;
  const length = names + (POLITENESS.exec(line.slice(names))?.[0].length ?? 0);
  return { line: line.slice(length), text: text.slice(length) };
}

function prefixed(lead: string, { line, text }: Words): Words {
  return { line: `${lead}${line}`, text: `${lead}${text}` };
}

function textAbove({ at, column, lead }: MentionAddress, lines: readonly string[]): string {
  const own = (lines[at] ?? "").slice(0, Math.max(0, column - lead.length));
  return [...lines.slice(0, at), own].join("\n").trim();
}

/** A question often depends on what its author wrote above it. */
function withContext(above: string, question: string): string {
  const room = MAX_WORDS_CHARS - question.length - 2;
  if (above === "" || room <= 0) return question;
  return `${above.slice(-room).toWellFormed().trimStart()}\n\n${question}`;
}

function cut(text: string): string {
  return text.trimStart().slice(0, MAX_WORDS_CHARS).toWellFormed().trimEnd();
}

function parseCommand(words: Words): MentionCommand {
  for (const spec of Object.values(ALL_COMMANDS)) {
    const command = spec.parse(words);
    if (command !== null) return command;
  }
  return { kind: "unknown", word: "" };
}
