/**
 * Finds names of a package's API that its changelog calls removed, renamed or changed ("no longer"). They are hints for a search,
 * not facts.
 */

const CODE = /`([^`\n]{1,80})`/g;
/** Not commands, sentences or versions. */
const NAME = /^[@$A-Za-z_][\w$.:#/@-]*(?:\(\))?$/;

const REMOVED = /\b(?:remove[sd]?|removal of|removing|delete[sd]?|drop(?:s|ped)?|dropping|eliminate[sd]?)\b/i;
const RENAMED = /\brename[sd]?\b|\brenaming\b|\b(?:is|are) now (?:called|named)\b/i;
const NO_LONGER = /\bno longer\b/i;
/** The replacement or the place follows after these. */
const AFTERWARDS =
  /\b(?:in favou?r of|instead|replaced (?:by|with)|use|from|superseded by|because|since|as|when)\b/i;
/** These aren't about the API. */
const OTHER =
  /^\s*(?:[-*+]\s+)?(?:\*\*)?(?:fix|docs?|test|chore|ci|build|refactor|style)\b|\bdependenc(?:y|ies)\b|\bsupport for\b/i;
const REMOVED_TITLE = /^\W*(?:removed|removals|deleted)\W*$/i;

/** Enough for a search. A changelog with more removes whole modules. */
const MAX_NAMES = 200;
const MAX_LINE_CHARS = 1_000;

export function findChangedNames(text: string): readonly string[] {
  const found = new Set<string>();
  let isRemovedSection = false;
  for (const line of text.split("\n")) {
    if (/^\s*#/.test(line) || /^\*\*[^*]+\*\*:?\s*$/.test(line)) {
      isRemovedSection = REMOVED_TITLE.test(line);
      continue;
    }
    if (!line.includes("`") || line.length > MAX_LINE_CHARS || OTHER.test(line)) continue;
    for (const sentence of line.split(/(?<=[.;!])\s+/)) {
      for (const name of namesIn(sentence, isRemovedSection)) found.add(name);
      if (found.size > MAX_NAMES) return [...found].slice(0, MAX_NAMES);
    }
  }
  return [...found];
}

function namesIn(sentence: string, isRemovedSection: boolean): readonly string[] {
  // Old and new names take turns: "Rename `a` to `b` and `c` to `d`".
  if (RENAMED.test(sentence)) return codeIn(sentence).filter((_, index) => index % 2 === 0);
  const noLonger = NO_LONGER.exec(sentence);
  if (noLonger !== null) return codeIn(sentence.slice(0, noLonger.index));
  return REMOVED.test(sentence) || isRemovedSection ? codeIn(withoutReplacement(sentence)) : [];
}

/** "Use `b` instead of `a`" would name the wrong one, so only names before such a word count. */
function withoutReplacement(sentence: string): string {
  const outside = sentence.replaceAll(CODE, (code) => "x".repeat(code.length));
  return sentence.slice(0, AFTERWARDS.exec(outside)?.index ?? sentence.length);
}

function codeIn(text: string): readonly string[] {
  return Array.from(text.matchAll(CODE), ([, code = ""]) => code.trim())
    .filter((code) => NAME.test(code))
    .map((code) => code.replace(/\(\)$/, ""));
}
