/**
 * Finds the app's name in the prose of a comment, and how it is addressed there. Pure, and linear in what it looks at: a comment may consist
 * of nothing but names.
 */
import { escapePattern } from "../../base/escape-pattern.ts";
import { type CommentLines, keepProse } from "./keep-prose.ts";

/** A comment that has this many addresses without giving a command gives none further down. */
const MAX_ADDRESSES = 20;

/**
 * `start`: at the start of a line or a sentence, where any command may follow. `middle`: after a colon or a dash, where commands count that
 * change nothing. `passing`: in the middle of a sentence, which is a question or a thank you.
 */
type AddressPosition = "start" | "middle" | "passing";

export type MentionAddress = {
  /** The number of the line. */
  readonly at: number;
  /** Where the name starts in it. */
  readonly column: number;
  /** The line after the name. */
  readonly rest: string;
  readonly position: AddressPosition;
  /** The words between the start of the sentence and the name: "Thanks", "please", other names. */
  readonly lead: string;
};

/** Only these come before a name. After any other character, it belongs to an address, a path, a link or another word. */
const BEFORE = String.raw`(?<=^|[ \t(*_,;\u3001\u3002\uff0c\uff1a\uff1b\uff08\uff01\uff1f\u2014\u2013])`;

/** Other characters after a name make it another one: `@kodiai-dev`, `/kodiai/src`. Marks of emphasis may close after it. */
const END = String.raw`(?=[*_~]{0,3}(?:[ \t\u00a0\u3000,:)\u3001\u3002\uff0c\uff1a\uff1b\uff09\uff01\uff1f]|[.;!?](?:[ \t]|$)|$))[*_~]{0,3}[.,:;!?]?`;

export function findAddresses(comment: CommentLines, slug: string): readonly MentionAddress[] {
  const names = keepProse(comment, findNames(comment.lines, slug));
  const addresses = names.map(({ end, ...place }): MentionAddress => {
    const line = comment.lines[place.at] ?? "";
    return { ...place, ...placeOf(line, place.column), rest: line.slice(end) };
  });
  // In the middle of a line, "/kodiai" is a path.
  return addresses.filter(
    ({ at, column, position }) => position === "start" || comment.lines[at]?.[column] !== "/",
  );
}

type Name = Pick<MentionAddress, "at" | "column"> & { readonly end: number };

function findNames(lines: readonly string[], slug: string): readonly Name[] {
  const found: Name[] = [];
  // Without the flag `u`, letters outside ASCII never match those of ASCII in another case.
  const pattern = new RegExp(`${BEFORE}(?:@${escapePattern(slug)}(?:\\[bot\\])?|/kodiai)${END}`, "gi");
  for (const [at, line] of lines.entries()) {
    // Faster than the pattern, and most lines have neither.
    if (!line.includes("@") && !line.includes("/")) continue;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(line); match !== null; match = pattern.exec(line)) {
      found.push({ at, column: match.index, end: pattern.lastIndex });
      if (found.length === MAX_ADDRESSES) return found;
    }
  }
  return found;
}

/** A sentence that is longer before the name makes no difference: the name is in its middle. */
const MAX_LEAD_CHARS = 120;

/** The end of a sentence with what closes behind it. Colons, semicolons and dashes end only a part of one. */
const SENTENCE_END = /(?:([.!?…。！？])["'’”)*_~\]]*|[:;：；—–][*_~]*|\s-)(?:\s+|(?<=[。！？：；]))/gu;

/** Marks, emoji, greetings and the names of others may come before an address in its sentence. */
const GREETING_WORDS =
  /^(?:[^\p{L}\p{N}@/]|(?:hey|hi|hello|dear|ok|okay|thanks|thank you|thx|ty|please|pls|and|also|so|now|then|\/?cc|fyi)(?![\p{L}\p{N}_'’-])|@[\w/-]+(?![\w/-])(?:\[bot\])?)*$/iu;

const LIST_MARKER = /^(?:\s*(?:[-+*]|\d{1,9}[.)])\s+)*(?:\[[ xX]\]\s+)?/;

function placeOf(line: string, column: number): Pick<MentionAddress, "position" | "lead"> {
  const from = Math.max(0, column - MAX_LEAD_CHARS);
  const before = line.slice(from, column);
  let start = 0;
  let isWhole = true;
  for (const match of before.matchAll(SENTENCE_END)) {
    start = match.index + match[0].length;
    isWhole = match[1] !== undefined;
  }
  const lead = before.slice(start);
  const isLong = start === 0 && from > 0;
  const words = start === 0 ? lead.replace(LIST_MARKER, "") : lead;
  if (isLong || !GREETING_WORDS.test(words)) return { position: "passing", lead };
  return { position: isWhole ? "start" : "middle", lead };
}
