/** Reads what a comment on lines says, and whether a diff changes its lines. Pure. */
import { firstSentence } from "../../base/first-sentence.ts";
import { createFenceReader } from "../../base/markdown.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import type { ChangedFile, Hunk } from "../../review/change/change.ts";
import { cleanProse } from "../../review/untrusted/clean-prose.ts";

/** More of a comment is rather a log or a pasted file. */
const MAX_COMMENT_CHARS = 10_000;

/** A long sentence. */
const MAX_SENTENCE_CHARS = 300;

/** "Same here" and "Nice!" say nothing about the lines. */
const MIN_SENTENCE_CHARS = 12;

const NIT =
  /^\W*(?:(?:very|super|tiny|small|minor|optional|style|just|an?)\W+)*nit(?:s|ty|-?pick\w*|-?picking)?(?!\w)/i;

/** Marks of headings and lists. */
const LINE_MARK = /^\s*(?:#{1,6}|[-*+]|\d{1,3}[.)])\s+/;

/** The first sentence, without code blocks, quotes of others and secrets; null for a nit, and for a comment that says nothing. */
export function sentenceOfComment(body: string): string | null {
  const isText = createFenceReader();
  const prose = maskCredentials(cleanProse(body.slice(0, MAX_COMMENT_CHARS)))
    .split("\n")
    .filter((line) => isText(line) === "text" && !/^\s{0,3}>/.test(line))
    .map((line) => line.replace(LINE_MARK, "").replaceAll(/\*\*|__/g, ""))
    .join("\n")
    .trim();
  const [paragraph = ""] = prose.split(/\n\s*\n/);
  const sentence = firstSentence(paragraph);
  if (sentence.length < MIN_SENTENCE_CHARS || NIT.test(sentence)) return null;
  return sentence.length <= MAX_SENTENCE_CHARS
    ? sentence
    : `${sentence.slice(0, MAX_SENTENCE_CHARS - 1).trimEnd()}…`;
}

/**
 * Whether a diff without lines of context changes or removes one of the lines of its base, or adds lines between them. Other spaces aren't a change.
 */
export function changesLines(
  files: readonly ChangedFile[],
  path: string,
  [first, last]: readonly [number, number],
): boolean {
  return files
    .filter(({ oldPath }) => oldPath === path)
    .flatMap(({ hunks }) => hunks)
    .some((hunk) => {
      const removed = hunk.lines.filter((line) => line.startsWith("-")).length;
      // A hunk that only adds lines names the line before them.
      const isInside =
        removed === 0
          ? hunk.oldStart >= first && hunk.oldStart < last
          : hunk.oldStart <= last && hunk.oldStart + removed > first;
      return isInside && !isFormatting(hunk);
    });
}

function isFormatting({ lines }: Hunk): boolean {
  const textOf = (mark: string): string =>
    lines
      .filter((line) => line.startsWith(mark))
      .map((line) => line.slice(1))
      .join("")
      .replaceAll(/\s+/g, "");
  return textOf("-") === textOf("+");
}
