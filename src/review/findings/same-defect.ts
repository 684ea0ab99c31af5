/**
 * Decides whether two reports about the same or neighboring lines mean one defect, in whatever words. Nothing may contradict: neither the
 * code that they name, nor the kind of harm, nor the fix. A defect that is taken for another one has no comment of its own, so its words
 * stay readable in the comment of the other (`also-reported.ts`).
 */
import type { Category } from "../../base/severity.ts";
import { wordOverlap } from "../../base/similarity.ts";
import type { Finding } from "./finding.ts";
import { findingWords, meaningOverlap } from "./finding-words.ts";
import { mentionDifferentCode, nameDifferentCode } from "./named-code.ts";
import { topicOf } from "./topic-of.ts";

/**
 * From these overlaps of meaning on, two reports mean the same. `npm run bench -- repeats` measures them. Two models that comment on
 * exactly the same lines mean the same with little in common, unless they mention different code of these lines. The text of a rule has
 * many words that fit anything, and neighboring lines are weaker evidence than the same ones.
 */
const SAME_LINES_MEANING = 0.3;
const OVERLAPPING_MEANING = 0.45;
const RULE_MEANING = 0.55;
const NEIGHBORING_MEANING = 0.6;

/** "Reset tokens never expire" and "Reset tokens are predictable" have the same words, and little in common. */
const SAME_WORDS_MEANING = 0.45;

/** Titles of two rules, or of one reviewer, that share this much of the shorter one's words mean the same thing. */
export const SAME_TITLE_OVERLAP = 0.5;

/** Titles of a tool and of another rule in two categories. "Unused import" and "Hidden import: …" share half of the shorter one. */
const ALIKE_TITLE_OVERLAP = 0.65;

/** repeated: far apart or without lines, so that only the same words mean the same. */
export type Closeness = "same-lines" | "overlapping" | "neighboring" | "repeated";

/** Harm at run time, and texts that run nowhere. The other categories go with both. */
const HARM: ReadonlySet<Category> = new Set(["security", "performance", "reliability"]);
const TEXT: ReadonlySet<Category> = new Set(["style", "documentation", "tests"]);

/** Words, numbers and operators of code. */
const TOKEN = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]+/gu;

/** The words of findings are compared many times. */
const wordsOf = new WeakMap<Finding, readonly string[]>();

export function isSameDefect(a: Finding, b: Finding, closeness: Closeness): boolean {
  if (nameDifferentCode(a, b)) return false;
  if (a.rule !== null && b.rule !== null) return isSameRule(a, b);
  if (closeness === "repeated") return isInSameWords(a, b);
  if (isOtherHarm(a, b) || isOtherFix(a, b)) return false;
  if (a.title.trim().toLowerCase() === b.title.trim().toLowerCase()) return true;
  return meaningOverlap(readWords(a), readWords(b)) >= leastMeaning(a, b, closeness);
}

function leastMeaning(a: Finding, b: Finding, closeness: Exclude<Closeness, "repeated">): number {
  if (closeness === "neighboring" || mentionDifferentCode(a, b)) return NEIGHBORING_MEANING;
  if (a.rule !== null || b.rule !== null) return RULE_MEANING;
  return closeness === "same-lines" ? SAME_LINES_MEANING : OVERLAPPING_MEANING;
}

/** True when the second report of one defect says nothing that the first doesn't. */
export function isInSameWords(a: Finding, b: Finding): boolean {
  return hasSameTitle(a, b) && meaningOverlap(readWords(a), readWords(b)) >= SAME_WORDS_MEANING;
}

/** Tools describe and categorize the same problem differently. Kodiai's own rules don't. */
function isSameRule(a: Finding, b: Finding): boolean {
  if (a.rule === b.rule) return true;
  if (!isOfTool(a) && !isOfTool(b)) return hasSameTitle(a, b);
  if (hasSameTitle(a, b) || isCalledAlike(a, b)) return true;
  const topic = topicOf(a);
  return topic !== null && topic === topicOf(b);
}

function hasSameTitle(a: Finding, b: Finding): boolean {
  return a.category === b.category && wordOverlap(a.title, b.title) >= SAME_TITLE_OVERLAP;
}

/** In another category. */
function isCalledAlike(a: Finding, b: Finding): boolean {
  if (isOtherHarm(a, b) || isOtherFix(a, b)) return false;
  return wordOverlap(a.title, b.title) >= ALIKE_TITLE_OVERLAP;
}

export function isOfTool({ source }: Pick<Finding, "source">): boolean {
  return source === "sarif" || source === "analyser";
}

function isOtherHarm({ category: one }: Finding, { category: other }: Finding): boolean {
  return (HARM.has(one) && TEXT.has(other)) || (TEXT.has(one) && HARM.has(other));
}

/** True when both suggest code, and the two edits have nothing in common. */
function isOtherFix(a: Finding, b: Finding): boolean {
  const [edit, other] = [editedTokens(a), editedTokens(b)];
  return edit.size > 0 && other.size > 0 && edit.isDisjointFrom(other);
}

/** The tokens that the suggestion adds to the quoted code or removes from it. */
function editedTokens({ quote, suggestion }: Finding): ReadonlySet<string> {
  if (suggestion === null) return new Set();
  const [before, after] = [quote, suggestion].map((code) => new Set(code.match(TOKEN) ?? []));
  return (before ?? new Set()).symmetricDifference(after ?? new Set());
}

function readWords(finding: Finding): readonly string[] {
  const known = wordsOf.get(finding);
  if (known !== undefined) return known;
  const words = findingWords(finding);
  wordsOf.set(finding, words);
  return words;
}
