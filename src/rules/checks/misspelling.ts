/**
 * Misspelled and repeated words in comments, documentation and sentences in strings. One finding per file. Names in code are left
 * alone: renaming them is another change.
 */
import { removedLines } from "../../review/change/walk-hunks.ts";
import { count } from "../../base/count.ts";
import { isTranslationFile } from "../../base/path-kinds.ts";
import { spellingOf } from "../lines/spelling.ts";
import type { FileView, LineRule, RuleMatch } from "../rule.ts";

const TEST_DATA =
  /(?:^|\/)(?:fixtures?|testdata|test[-_]data|snapshots?|__snapshots__|cassettes|corpus|goldens?|locales?|i18n)\/|spell|dictionar|words?list|\.(?:csv|tsv|sql|ipynb|po|pot|tex|bib|patch|diff|snap|svg)$/i;

/** Text that isn't prose keeps its place, so that columns stay right. */
const NOT_PROSE =
  /`[^`]{0,200}`|\b(?:https?|ftp|git|ssh):\/\/\S{1,300}|<[^<>]{1,200}>|\{[^{}]{0,200}\}|\]\([^()]{0,300}\)/g;

/** The start of a comment and the spaces after it. */
const COMMENT = /(?:^|\s)(?:\/\/[/!]?|#+|--|;+|\/\*+!?|\*|<!--|%+)\s/;

/** A whole word that is no part of a name, a path or an option. */
const WORD = /(?<![\w.$@/\\#:&='"-])[A-Za-z][a-z]+(?:'[a-z]{1,2})?(?![\w(<=/\\@$-]|[.:]\w|['"])/g;

/** Words of English sentences that few other languages share. */
const ENGLISH_WORDS =
  "the|of|and|to|with|that|this|are|when|from|should|which|be|not|for|is|will|by|it|if|can|was|has|have|must|cannot|unable|failed|added|finished|found|successfully";
const ENGLISH = new RegExp(`\\b(?:${ENGLISH_WORDS})\\b`, "i");

/** Matches wherever the prose of a line could match: it ends where something that isn't prose begins. Most code has none. */
const MAY_BE_ENGLISH = new RegExp(`(?:${ENGLISH_WORDS})(?![A-Za-z])`, "i");

/** Words in a row: a sentence, when there are enough of them. Keywords of a language make shorter rows. */
const WORDS_IN_ROW = /(?<![\w',])[A-Za-z',]+(?: [A-Za-z',;.()-]+){2,}/g;
const CODE = /[=[\]{};]|:\s*$/;
const MIN_WORDS_IN_STRING = 3;
const MIN_WORDS_IN_CODE = 5;

/** After some words two are right: "an area they have access to to this day". */
const REPEATED =
  /(?<!\baccess (?=to\b))(?<![\w.$@/\\#:&='"*-])(the|a|an|is|are|to|of|and|in|for|it|be|with|on|this|from|if|or|as|by|not|will|can|we|you|when|which|has|have|should|must) \1(?![\w(<=/\\@$:'"*-]|\.\w)/gi;

/** The text is about spelling, or it's filler. */
const ABOUT_SPELLING = /typo|spell|lorem|ipsum|did you mean|codespell/i;

type Slip = {
  readonly line: number;
  readonly wrong: string;
  readonly right: string;
  readonly suggestion: string | null;
};

/** A line with everything that isn't prose blanked. */
function proseOf(text: string, isDocument: boolean): string {
  const blanked = text.replaceAll(NOT_PROSE, (part) => "\0".repeat(part.length));
  if (isDocument) return blanked;
  const comment = COMMENT.exec(blanked);
  if (comment !== null) {
    const start = comment.index + comment[0].length;
    return "\0".repeat(start) + blanked.slice(start);
  }
  let prose = "\0".repeat(blanked.length);
  for (const { 0: row, index } of blanked.matchAll(WORDS_IN_ROW)) {
    const isString =
      blanked.slice(0, index).split('"').length % 2 === 0 || /['`]/.test(blanked[index - 1] ?? "");
    if (!isString && CODE.test(blanked)) continue;
    if (row.split(" ").length < (isString ? MIN_WORDS_IN_STRING : MIN_WORDS_IN_CODE) || !ENGLISH.test(row))
      continue;
    prose = prose.slice(0, index) + row + prose.slice(index + row.length);
  }
  return prose;
}

function* slipsIn(
  prose: string,
): Generator<{ readonly at: number; readonly wrong: string; readonly right: string }> {
  for (const { 0: word, index } of prose.matchAll(WORD)) {
    // A name has a capital letter in the middle of a sentence.
    if (/^[A-Z]/.test(word) && /[A-Za-z,] $/.test(prose.slice(Math.max(0, index - 2), index))) continue;
    const right = spellingOf(word.toLowerCase());
    if (right === null) continue;
    const cased = /^[A-Z]/.test(word) ? right.charAt(0).toUpperCase() + right.slice(1) : right;
    yield { at: index, wrong: word, right: cased };
  }
  for (const { 0: pair, 1: word = "", index } of prose.matchAll(REPEATED)) {
    if (pair.endsWith(word.toLowerCase())) yield { at: index, wrong: pair, right: word };
  }
}

function slipsOf(file: FileView): readonly Slip[] {
  if (!MAY_BE_ENGLISH.test(file.addedText)) return [];
  const removed = removedLines(file.file)
    .map(({ text }) => text)
    .join("\n")
    .toLowerCase();
  const found: Slip[] = [];
  for (const { line, text } of file.added) {
    if (!MAY_BE_ENGLISH.test(text) || ABOUT_SPELLING.test(text) || /[^\0-\x7f–—‘’“”…]/.test(text)) continue;
    const prose = proseOf(text, file.category === "docs");
    if (!ENGLISH.test(prose)) continue;
    const slips = [...slipsIn(prose)].filter(({ wrong }) => !removed.includes(wrong.toLowerCase()));
    let corrected = text;
    for (const { at, wrong, right } of slips.toSorted((one, other) => other.at - one.at))
      corrected = corrected.slice(0, at) + right + corrected.slice(at + wrong.length);
    // A string may be a key that other code reads.
    const isText = file.category === "docs" || COMMENT.test(text) || !/["'`]/.test(text);
    found.push(
      ...slips.map(({ wrong, right }) => ({ line, wrong, right, suggestion: isText ? corrected : null })),
    );
  }
  return found;
}

const remembered = new WeakMap<FileView, readonly Slip[]>();

const MAX_NAMED = 10;

export const misspelling: LineRule = {
  kind: "line",
  id: "misspelling",
  title: "Misspelled or repeated word",
  severity: "minor",
  category: "documentation",
  why: "Readers stumble over it, and a search for the word doesn't find the place.",
  fix: "Correct the spelling.",
  confidence: 0.9,
  languages: "any",
  inTests: true,
  isFor: ({ path }) => !TEST_DATA.test(path) && !isTranslationFile(path),
  check({ line }, file): RuleMatch | null {
    const slips = remembered.get(file) ?? slipsOf(file);
    remembered.set(file, slips);
    const [first] = slips;
    if (first?.line !== line) return null;
    const others = slips.filter((slip) => slip.line !== line);
    const named = others
      .slice(0, MAX_NAMED)
      .map(({ line: at, wrong, right }) => `line ${at} \`${wrong}\` (${right})`);
    const more = others.length > MAX_NAMED ? `, and ${count(others.length - MAX_NAMED, "more")}` : "";
    return {
      line,
      title: `Typo: \`${first.wrong}\` should be \`${first.right}\``,
      ...(others.length === 0 ? {} : { detail: `The file has more: ${named.join(", ")}${more}.` }),
      ...(first.suggestion === null ? {} : { suggestion: first.suggestion }),
    };
  },
};
