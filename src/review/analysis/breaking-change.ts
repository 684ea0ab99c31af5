/**
 * Detects whether prose announces a breaking change. Templates contain the question in every pull request, so unchecked
 * boxes, code, comments, quotes and denials don't count. It reads text line by line and never fails.
 */
import { createFenceReader, withoutHtmlComments } from "../../base/markdown.ts";

/** GitHub's limit for a body. */
const MAX_BODY_CHARS = 65_536;
/** A denial is close to the words it denies. */
const MAX_DENIAL_CHARS = 60;

const MENTION =
  /\bbreaking[\s-]{1,3}changes?\b|\b(?:backwards?|api)[\s-]{1,3}incompatible\b|\bnot\s{1,3}backwards?[\s-]{1,3}compatible\b|\bbreaks?\s{1,3}backwards?[\s-]{1,3}compatibility\b/i;
const DENIED_BEFORE =
  /(?:\b(?:no|not|non|never|without|none|neither|nor|zero|any|if|whether|avoids?|avoiding)|n['’]t)\b[\w\s,'’-]{0,40}$/i;
/** Text about breaking changes doesn't announce one: "detects breaking changes", "a guide for breaking changes". */
const ABOUT_BEFORE =
  /\b(?:fix(?:es|ed|ing)?|detect(?:s|ed|ing|ion of)?|reverts?|reverted|prevents?|preventing|checks?|checking|finds?|reports?|handles?|lists?|documents?|for|of)\s{1,3}(?:(?:a|an|the|these|those|this|all|unintended|accidental|previous|recent)\s{1,3}){0,2}$/i;
const DENIED_AFTER =
  /^[\s?:=|–—*_()-]{0,10}(?:none|no|nope|n\/a|nil|nothing|false|not applicable|not expected)\b|^\s{1,3}(?:is|are|was|were|has been|have been)\s{1,3}(?:not|avoided|reverted|expected to be none)\b/i;
/** An empty answer. "No longer supports X" is content, "No" isn't. */
const NOTHING =
  /^\W{0,6}(?:no|none|n\/?a|nope|nil|nothing|not applicable|false|tbd|todo)\W{0,6}$|^\W{0,6}(?:no|none|not|nothing)\b.{0,40}\b(?:breaking|applicable|expected|known|intended|aware)\b|^\W{0,40}$/i;
const YES = /^\W{0,6}(?:yes|true)\b/i;

const CHECK_BOX = /^\s{0,12}(?:[-*+]|\d{1,3}[.)])\s{1,4}\[([ xX])\]\s{0,4}(.*)$/;
const HEADING = /^\s{0,3}#{1,6}\s|^\s{0,3}(?:\*\*|__)[^*_]{1,200}(?:\*\*|__)\s{0,3}:?\s{0,3}$/;
const TYPE_OF_CHANGE = /\b(?:types?|kinds?)\s{1,3}of\s{1,3}(?:this\s{1,3})?changes?\b/i;
const LABEL_ALONE = /^[\s>*+#-]{0,10}(?:the\s{1,3})?breaking[\s-]{1,3}changes?\s{0,3}:?\s{0,3}$/i;

const FOOTER = /^BREAKING[ -]CHANGE:[ \t]{0,4}(.*)$/gm;

/** True for a conventional commits footer, at the start of a line and in capitals. "none" is no announcement. */
export function hasBreakingFooter(commitBody: string): boolean {
  const body = commitBody.slice(0, MAX_BODY_CHARS);
  for (const [, text = ""] of body.matchAll(FOOTER)) {
    if (text.trim() === "" || !NOTHING.test(text)) return true;
  }
  return false;
}

/** True when a pull request's body says that the change is breaking. */
export function announcesBreakingChange(body: string): boolean {
  // Every announcement contains one of these words.
  if (!/break|compatible/i.test(body)) return false;
  const reader = createBodyReader();
  return proseLines(body.slice(0, MAX_BODY_CHARS)).some((line) => reader(line));
}

/**
 * Reads lines in order and returns true at the line with the announcement. After a heading or question about breaking
 * changes it's `pending`, and the first line that is neither blank nor a checkbox decides.
 */
function createBodyReader(): (line: string) => boolean {
  let pending: "nothing" | "content" | "answer" = "nothing";
  let isInTypeSection = false;
  let isAfterBox = false;
  return (raw) => {
    const line = raw.replaceAll(/\*\*|__/g, "");
    const text = line.trim();
    if (text === "") {
      isAfterBox = false;
      return false;
    }
    const box = CHECK_BOX.exec(line);
    if (box !== null) {
      isAfterBox = true;
      return box[1] !== " " && isTickedAnnouncement(box[2] ?? "", pending === "answer");
    }
    if (isAfterBox && /^(?: {2}|\t)/.test(raw)) return false;
    isAfterBox = false;
    if (HEADING.test(raw)) {
      isInTypeSection = TYPE_OF_CHANGE.test(text);
      pending = isInTypeSection ? "nothing" : whatFollows(text);
      return pending === "nothing" && !isInTypeSection && announces(text);
    }
    if (isInTypeSection) return false;
    if (text.startsWith("|")) return isAffirmedRow(text);
    const awaited = pending;
    pending = "nothing";
    if (awaited !== "nothing" && NOTHING.test(text)) return false;
    if (awaited === "answer" && YES.test(text)) return true;
    if (isQuestion(text)) {
      pending = "answer";
      return YES.test(text.slice(text.lastIndexOf("?") + 1));
    }
    if (awaited === "content") return true;
    pending = LABEL_ALONE.test(text) ? "content" : "nothing";
    return pending === "nothing" && announces(text);
  };
}

/** The text expected after a heading: the content of "Breaking changes", the answer to "Is it breaking?". */
function whatFollows(heading: string): "nothing" | "content" | "answer" {
  if (isQuestion(heading)) return "answer";
  return LABEL_ALONE.test(heading) ? "content" : "nothing";
}

function isQuestion(text: string): boolean {
  return text.includes("?") && MENTION.test(text);
}

function isTickedAnnouncement(label: string, isAnswer: boolean): boolean {
  return (isAnswer && YES.test(label)) || announces(label);
}

/** `| Breaking change? | yes |` */
function isAffirmedRow(row: string): boolean {
  const cells = row.split("|").slice(1);
  return cells.some((cell, index) => MENTION.test(cell) && YES.test(cells[index + 1] ?? ""));
}

/** True when a sentence of the text mentions a breaking change and doesn't deny it. */
function announces(text: string): boolean {
  return text.split(/[.!;](?=\s|$)|\s(?:but|however)\s/i).some((sentence) => {
    const mention = MENTION.exec(sentence);
    if (mention === null) return false;
    const before = sentence.slice(Math.max(0, mention.index - MAX_DENIAL_CHARS), mention.index);
    const after = sentence.slice(mention.index + mention[0].length);
    return !DENIED_BEFORE.test(before) && !ABOUT_BEFORE.test(before) && !DENIED_AFTER.test(after);
  });
}

/** The author's own text, without code, comments, strikethrough, quotes and collapsed release notes. */
function proseLines(body: string): readonly string[] {
  const partOf = createFenceReader();
  const unfenced = body.split(/\r?\n/).filter((line) => partOf(line) === "text");
  const text = withoutHtmlComments(unfenced.join("\n"))
    .replaceAll(/`[^`\n]{1,500}`/g, " ")
    .replaceAll(/~~[^~\n]{1,500}~~/g, " ");
  let depth = 0;
  return text.split("\n").filter((line) => {
    const wasFolded = depth > 0;
    if (line.includes("details")) {
      depth += line.match(/<details\b/gi)?.length ?? 0;
      depth = Math.max(0, depth - (line.match(/<\/details\b/gi)?.length ?? 0));
    }
    return !wasFolded && depth === 0 && !/^\s{0,3}>/.test(line);
  });
}
