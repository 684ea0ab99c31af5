/**
 * Removes the parts of prose that its readers don't see: HTML comments, attributes, image texts, link titles, link
 * definitions, hidden characters. When in doubt it removes: a comment shown in a code block goes too.
 */
import { stripHidden } from "../../base/hidden-characters.ts";

/** A tag that a person typed is shorter; a longer one ends at its first `>`. */
const MAX_TAG_CHARS = 2_000;

/** Start and end of markup that a browser doesn't show. */
const NOTES: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
  ["<!", ">"],
];
/** `![text](target "title")`, `![text][name]`, `![text]`. */
const IMAGE = /!\[[^\]\n]{0,500}\](?:\([^()\n]{0,2000}\)|\[[^\]\n]{0,200}\])?/g;
/** The title of `[text](target "title")`. */
const LINK_TITLE =
  /(\]\(\s{0,4}[^\s()]{1,2000})\s{1,4}(?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}'|\([^()\n]{0,2000}\))\s{0,4}\)/g;
/** `[name]: target "title"` is never shown; `[^1]: text` is. */
const LINK_DEFINITION =
  /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]{0,4}(?:\n[ \t]{0,4})?(?:<[^<>\n]{0,2000}>|[^\s<]\S{0,2000})(?:[ \t]{0,4}(?:\n[ \t]{0,4})?(?:"[^"]{0,2000}"|'[^']{0,2000}'|\([^()]{0,2000}\)))?[ \t]{0,100}$/gm;
const TAG_START = /<\/?([a-zA-Z][a-zA-Z0-9-]{0,60})(?=[\s/])/g;

export function cleanProse(text: string): string {
  const visible = stripHidden(text.replaceAll("\r\n", "\n").replaceAll("\r", "\n"));
  return (
    withoutAttributes(withoutNotes(visible))
      .replace(IMAGE, "(image)")
      .replace(LINK_TITLE, "$1)")
      .replace(LINK_DEFINITION, "")
      .split("\n")
      // Not a regular expression: searching for the end of the line from every space would take a minute for a page of spaces.
      .map((line) => line.trimEnd())
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim()
  );
}

function withoutNotes(text: string): string {
  const parts: string[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", Math.max(at + 1, from))) {
    const [start, end] = NOTES.find(([opening]) => text.startsWith(opening, at)) ?? ["", ""];
    if (start === "" || unclosed.has(start) || !isNote(text, at, start)) continue;
    const close = text.indexOf(end, at + start.length);
    // An unclosed comment at the start of a line hides the rest of the text; elsewhere it is visible.
    const hidesRest = start === "<!--" && /(?:^|\n) {0,3}$/.test(text.slice(Math.max(0, at - 4), at));
    if (close === -1) unclosed.add(start);
    if (close === -1 && !hidesRest) continue;
    parts.push(text.slice(from, at));
    from = close === -1 ? text.length : close + end.length;
  }
  return parts.join("") + text.slice(from);
}

/** A declaration has a name, so `a <! b` isn't one. */
function isNote(text: string, at: number, start: string): boolean {
  return start !== "<!" || /[A-Za-z]/.test(text[at + start.length] ?? "");
}

/** Keeps tags, so that the markup stays recognizable, and removes their attributes, which only a browser reads. */
function withoutAttributes(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(TAG_START)) {
    if (match.index < from) continue;
    const end = endOfTag(text, match.index + match[0].length);
    // `List<T extends U>` isn't markup: only a tag with an assignment can hold text.
    if (end === -1 || !text.slice(match.index, end).includes("=")) continue;
    parts.push(text.slice(from, match.index), match[0], ">");
    from = end;
  }
  return parts.join("") + text.slice(from);
}

/** Position after the `>` that closes the tag, ignoring those in quotes; -1 when there is none. */
function endOfTag(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_TAG_CHARS);
  let quote = "";
  for (let index = start; index < limit; index++) {
    const character = text[index] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === ">") return index + 1;
    else if (character === '"' || character === "'") quote = character;
  }
  return text.indexOf(">", start) + 1 || -1;
}
