/** Shortens a changelog for a review: its breaking notes and changed names, found in the whole text, and an excerpt. */
import { createFenceReader } from "../../base/markdown.ts";
import type { ChangelogExcerpt } from "../dependency-report.ts";
import type { Changelog, ReleaseNote } from "../lookups.ts";
import { findChangedNames } from "./changed-names.ts";

const MAX_EXCERPT_CHARS = 2_000;
const MAX_BREAKING_NOTES = 20;
const MAX_NOTE_CHARS = 300;

const BREAKING =
  /\bbreaking\b|\bBC break|\b(?:backwards?|api)[- ]incompatib|\bincompatible (?:api )?changes?\b|^\W*(?:feat|fix|refactor|chore|perf|build)(?:\([^)]*\))?!:/i;
/** Without a name, these are mostly about the package itself: "Removed an unused dependency". */
const REMOVING =
  /^\W*(?:\*\*[^*]*\*\*:?\s*)?(?:remove[sd]?|drop(?:s|ped)?|rename[sd]?)\b|\b(?:is|are|was|were|has been|have been) (?:removed|renamed|dropped)\b|\bno longer (?:supported|exported|available|accepted|allowed|exists?)\b|\b(?:is|are|be|been|now) disallowed\b/i;
const UNSUPPORTING = /\b(?:drop|remov)(?:s|ped|ed|e)? support\b|\bno longer supported\b/i;
const NOT_BREAKING =
  /\b(?:no|non|without(?: any)?|zero)[ -](?:known )?(?:breaking|backwards?[- ]incompatib)|(?:\bnot|n't|\bnever) (?:\w+ ){0,3}(?:breaking|backwards?[- ]incompatib)|\bbreaking(?: changes?)?\W{1,8}(?:none|nothing|n\/a|no)(?: yet| known)?\W*$|\b(?:line|word|page|tie|circuit|ground)[- ]?breaking\b|\b(?:avoid|from|prevents?|stops?|was|were) breaking\b/i;
/** Its whole section is about breaking changes. */
const BREAKING_TITLE = /\bbreaking\b|\bincompatib/i;
/** Its section is about removals. */
const REMOVED_TITLE = /^\W*(?:removed|removals)\W*$/i;
/** A section with nothing in it says so: "Nothing yet.", "_None_", "N/A". */
const NOTHING =
  /^\W*(?:none|nothing|n\/?a|tbd|no (?:known |other )?(?:changes?|entries|issues?))(?: (?:yet|known|so far|here|for now|in this (?:release|version)))?\W*$/i;
/** A warning sign in front of a title marks what users must know before they update. */
const WARNING = /^[^\p{L}\p{N}`]*\u26a0/u;
const OTHER_WARNING = /\b(?:deprecat|security|vulnerab|experimental)/i;

const TITLE = /^\s*#+\s*(.*)$|^\*\*([^*]+)\*\*:?\s*$/;
const ITEM = /^\s*(?:[-*+\u2022]|\d+[.)])\s/;
/** A longer line without a mark is a sentence. */
const MAX_PLAIN_TITLE_CHARS = 80;
/** Between a title and its list. */
const MAX_EMPTY_LINES = 2;

export function excerptChangelog({ origin, notes }: Changelog): ChangelogExcerpt {
  const whole = notes.map(({ text }) => text).join("\n");
  const breaking = new Set(notes.flatMap(({ text }) => breakingLines(text)));
  return {
    origin,
    ...shortened(notes),
    breaking: [...breaking].slice(0, MAX_BREAKING_NOTES),
    symbols: findChangedNames(whole),
  };
}

/** The newest notes, until the limit. */
function shortened(notes: readonly ReleaseNote[]): Pick<ChangelogExcerpt, "notes" | "omittedChars"> {
  const kept: ReleaseNote[] = [];
  let [leftChars, omittedChars] = [MAX_EXCERPT_CHARS, 0];
  for (const note of notes) {
    const text = cutAtLine(note.text, leftChars);
    if (text !== "") kept.push({ ...note, text });
    leftChars = text === note.text ? leftChars - text.length : 0;
    omittedChars += note.text.length - text.length;
  }
  return { notes: kept, omittedChars };
}

/** `plain`: a title that only its words and the list below it show, so that any other line ends its section. */
type Section = { readonly about: "breaking" | "removed" | "other"; readonly isPlain: boolean };

function breakingLines(text: string): readonly string[] {
  const found = new Set<string>();
  const lines = text.split("\n");
  const partOf = createFenceReader(Infinity);
  let section: Section = { about: "other", isPlain: false };
  for (const [at, line] of lines.entries()) {
    if (partOf(line) !== "text") continue;
    const title = titleAt(lines, at);
    if (title !== null) {
      section = { about: subjectOf(title.words), isPlain: title.isPlain };
      const isWarning = WARNING.test(title.words) && !OTHER_WARNING.test(title.words);
      if (isWarning && section.about !== "breaking") found.add(cutText(title.words.trim(), MAX_NOTE_CHARS));
      continue;
    }
    const isItem = ITEM.test(line);
    if (section.isPlain && !isItem && /^\S/.test(line)) section = { about: "other", isPlain: false };
    if (NOTHING.test(line) || NOT_BREAKING.test(line)) continue;
    const isRemoval =
      isItem &&
      (UNSUPPORTING.test(line) ||
        ((section.about === "removed" || REMOVING.test(line)) && line.includes("`")));
    const isParagraph = /^[\p{L}\p{N}`*_]/u.test(line) && (lines[at - 1] ?? "").trim() === "";
    const isInside = section.about === "breaking" && (isItem || isParagraph);
    if (BREAKING.test(line) || isRemoval || isInside) found.add(cutText(line.trim(), MAX_NOTE_CHARS));
  }
  return [...found].filter((line) => line !== "");
}

function subjectOf(title: string): Section["about"] {
  if (BREAKING_TITLE.test(title)) return NOT_BREAKING.test(title) ? "other" : "breaking";
  return REMOVED_TITLE.test(title) ? "removed" : "other";
}

function titleAt(
  lines: readonly string[],
  at: number,
): { readonly words: string; readonly isPlain: boolean } | null {
  const line = lines[at] ?? "";
  const marked = TITLE.exec(line);
  if (marked !== null) return { words: marked[1] ?? marked[2] ?? "", isPlain: false };
  const isPlain =
    line.length <= MAX_PLAIN_TITLE_CHARS &&
    /^\S.*[^.;,!\s]\s*$/.test(line) &&
    !ITEM.test(line) &&
    BREAKING_TITLE.test(line) &&
    ITEM.test(lines.slice(at + 1, at + 2 + MAX_EMPTY_LINES).find((next) => next.trim() !== "") ?? "");
  return isPlain ? { words: line, isPlain } : null;
}

function cutAtLine(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.lastIndexOf("\n", maxChars);
  return end > maxChars / 2 ? text.slice(0, end) : cutText(text, maxChars);
}

/** Never cuts a character in two. */
function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "");
}
