/**
 * Fails on phrases that don't read as plain English: words with an everyday meaning that the field has a better word for, and
 * sentences without a subject. Only unambiguous cases are listed here.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { count } from "../src/base/count.ts";

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\bpurse\b/i, "budget"],
  [/\b(?:some|no|every)body\b/i, "the author, the operator, the caller, a user"],
  [/\bwhoever\b/i, "the author, the operator, the caller, a user"],
  [/\bbesides?\b/i, "alongside, also, in addition"],
  [/\btold\b/i, "reported, shown, published"],
  [/\bleft runs?\b/i, "unfinished runs"],
  [/\b(?:comes?|came) to (?:its|their|an|no) end\b/i, "finishes"],
  [/\blets? us in\b/i, "authentication failed"],
  [/\bstands? (?:on|in|at|between|behind|above|below|under|there|here)\b/i, "is on, is in"],
  [/\b(?:death|dies)\b/i, "crash, exit, kill"],
  [/\basked for again\b/i, "retried, requested again"],
  [/\bat most once a\b/i, "once per"],
];

/** A sentence that starts like a question and isn't one. */
const HEADLESS = /(?:^|[.!?] )(?:What|Who|Whoever)\b(?! (?:can|does|is this|to)\b)[^.?!]*[.!](?=\s|$)/;

const HEADLESS_TEST = /\btest\(\s*["'`](?:\w+: )?(?:what|who|whoever) /;

/** Public names that contain such a word and can't change: a drop reason, a value of `review.allowNoReview`, GitHub's example. */
const PUBLIC_NAMES = /dropped:already-told|["`]nobody["`]|allowNoReview: nobody|it's a secret to everybody/gi;

/** Texts that imitate others: attacks on reviewers, and secrets. This file lists the words. */
const QUOTING =
  /^(?:scripts\/voice\.ts|test\/support\/(?:injection-corpus|secret-corpus|hostile)|test\/fixtures\/|src\/linters\/first-examples\.json|fake-github\/github-description\.json|package-lock\.json|LICENSE)/;

const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\0")
  .filter((path) => /\.(?:md|ts|js|yaml|json)$/.test(path) && !QUOTING.test(path));

let found = 0;
for (const path of files) {
  const lines = readFileSync(path, "utf8").replaceAll(PUBLIC_NAMES, "").split("\n");
  for (const [index, line] of lines.entries()) {
    for (const [word, better] of WORDS) {
      const match = word.exec(line);
      if (match !== null) report(path, index, `"${match[0]}": ${better}`);
    }
    if (HEADLESS_TEST.test(line)) report(path, index, "the test's name has no subject");
  }
  for (const { text, index } of proseOf(path, lines))
    if (HEADLESS.test(text)) report(path, index, `no subject: "${HEADLESS.exec(text)?.[0].trim()}"`);
}
console.log(found === 0 ? `${count(files.length, "file")} checked` : `${count(found, "phrase")} to rewrite`);
process.exitCode = found === 0 ? 0 : 1;

function report(path: string, index: number, text: string): void {
  found++;
  console.log(`${path}:${index + 1} ${text}`);
}

/** Paragraphs of a document, or comments of a program; `index`: their first line. */
function* proseOf(path: string, lines: readonly string[]): Generator<{ text: string; index: number }> {
  const isDocument = path.endsWith(".md");
  let paragraph: string[] = [];
  let start = 0;
  for (const [index, line] of [...lines, ""].entries()) {
    const text = isDocument
      ? proseLine(line)
      : (/^\s*(?:\/\*\*?|\*|\/\/) ?(.*?)(?:\*\/)?$/.exec(line)?.[1] ?? "");
    if (text.trim() === "") {
      if (paragraph.length > 0) yield { text: paragraph.join(" "), index: start };
      paragraph = [];
      continue;
    }
    if (paragraph.length === 0) start = index;
    paragraph.push(text.trim());
  }
}

/** Headings and code have no sentences; each list item and each table cell starts one. */
function proseLine(line: string): string {
  return /^(?:#| {4}|\|)/.test(line) ? "" : line.replace(/^\s*(?:[-*]|\d+\.) /, "");
}
