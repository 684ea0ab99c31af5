/** Shortens a changelog for a review: its breaking notes and changed names, found in the whole text, and an excerpt. */
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
  /^\W*(?:\*\*[^*]*\*\*:?\s*)?(?:remove[sd]?|drop(?:s|ped)?|rename[sd]?)\b|\b(?:is|are|was|were|has been|have been) (?:removed|renamed|dropped)\b|\bno longer (?:supported|exported|available|exists?)\b/i;
const UNSUPPORTING = /\b(?:drop|remov)(?:s|ped|ed|e)? support\b|\bno longer supported\b/i;
const NOT_BREAKING =
  /\b(?:no|non|not?(?: a| any)?|without(?: any)?|zero)[ -](?:known )?(?:breaking|backwards?[- ]incompatib)/i;
/** Its whole section is about breaking changes. */
const BREAKING_TITLE = /\bbreaking\b|\bincompatib/i;
/** Its section is about removals. */
const REMOVED_TITLE = /^\W*(?:removed|removals)\W*$/i;

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

function breakingLines(text: string): readonly string[] {
  const found = new Set<string>();
  let isBreakingSection = false;
  let isRemovedSection = false;
  for (const line of text.split("\n")) {
    const title = /^\s*#+\s*(.*)$|^\*\*([^*]+)\*\*:?\s*$/.exec(line);
    if (title !== null) {
      const words = title[1] ?? title[2] ?? "";
      isBreakingSection = BREAKING_TITLE.test(words) && !NOT_BREAKING.test(words);
      isRemovedSection = REMOVED_TITLE.test(words);
      continue;
    }
    const isItem = /^\s*(?:[-*+\u2022]|\d+[.)])\s/.test(line);
    const isRemoval =
      isItem &&
      (UNSUPPORTING.test(line) || ((isRemovedSection || REMOVING.test(line)) && line.includes("`")));
    const isBreaking = !NOT_BREAKING.test(line) && (BREAKING.test(line) || isRemoval);
    if (isBreaking || (isBreakingSection && isItem)) found.add(cutText(line.trim(), MAX_NOTE_CHARS));
  }
  return [...found].filter((line) => line !== "");
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
