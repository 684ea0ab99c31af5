/**
 * `search_code`: lines that hold a text or match a regular expression. Git finds lines by fixed text only; expressions run
 * on our linear engine, so that no pattern takes long, and everything ends after a time and a number of hits.
 */
import * as z from "zod";
import { compileSafePattern } from "../config/repo-config/safe-pattern.ts";
import type { SearchResult } from "../repository/repository.ts";
import { showPath } from "../review/untrusted/show-path.ts";
import { guardHits, type GuardedHit, guardLine } from "./guard-hits.ts";
import { globMatcher } from "./list-files.ts";
import { ONLY_A_DIFF, deadlineOf, refuse } from "./resolve-paths.ts";
import { requiredText } from "./required-text.ts";
import { cutLine } from "./show-lines.ts";
import type { DataLine, ReadContext, Tool } from "./tool.ts";

const MAX_HITS = 200;

/** Enough to see what the line is about; read_file shows the rest. */
const MAX_TEXT_CHARS = 300;

/** The engine's own limit for expressions. */
const MAX_PATTERN_CHARS = 500;

const schema = z.object({
  pattern: z
    .string()
    .describe("A regular expression (RE2: no look-around, no back-references); (?i) ignores case"),
  glob: z.string().max(256).optional().describe("Only in files that match, such as src/**/*.ts or *.sql"),
  fixed: z.boolean().optional().describe("The pattern is plain text"),
});

export const searchCode: Tool<ReadContext, z.infer<typeof schema>> = {
  name: "search_code",
  description:
    "Searches all files of the repository, with the change, line by line. At most 200 hits, 10 seconds.",
  schema,
  async execute({ pattern, glob, fixed = false }, context) {
    const { repository, head } = context;
    if (repository === null) return ONLY_A_DIFF;
    if (pattern === "" || pattern.length > MAX_PATTERN_CHARS)
      return refuse(`A pattern has 1 to ${MAX_PATTERN_CHARS} characters.`);
    if (/[\0\n\r]/.test(pattern))
      return refuse("A search goes line by line: the pattern must be of one line.");
    const isMatch = fixed ? (text: string) => text.includes(pattern) : compileSafePattern(pattern);
    if (isMatch === null)
      return refuse("This is no regular expression that RE2 takes. Simplify it, or search with fixed: true.");
    const isWanted = glob === undefined ? () => true : globMatcher(glob);
    if (isWanted === null) return refuse("This glob cannot be used; simplify it.");
    const result = await repository.search(
      head,
      {
        text: fixed ? pattern : requiredText(pattern),
        isWord: false,
        folder: fixedFolder(glob ?? ""),
        accepts: ({ path, text }) =>
          isWanted(path) && (fixed || isMatch(text)) && isTold(text, isMatch, context),
        maxHits: MAX_HITS,
      },
      deadlineOf(context),
    );
    const hits = await guardHits(result.hits, repository, context);
    return { text: describeResult(result), data: showHits(hits, context) };
  },
};

/** What only the secret on a line matches is not found: hit by hit, a pattern could spell it out. */
function isTold(text: string, isMatch: (text: string) => boolean, { guard }: ReadContext): boolean {
  const shown = guardLine(text, guard);
  return shown !== null && (!guard.holdsSecret(shown) || isMatch(shown));
}

/** The part of a glob before its first wildcard, as far as it is a folder. */
function fixedFolder(glob: string): string {
  const folders = glob
    .replace(/^\.?\//, "")
    .split("/")
    .slice(0, -1);
  const end = folders.findIndex((folder) => /[*?[\]{}\\]/.test(folder));
  const fixed = end === -1 ? folders : folders.slice(0, end);
  return fixed.some((folder) => /^\.{0,2}$/.test(folder)) ? "" : fixed.join("/");
}

function describeResult({ hits, endedBy }: SearchResult): string {
  const count = hits.length === 1 ? "1 line" : `${hits.length} lines`;
  switch (endedBy) {
    case "end":
      return hits.length === 0 ? "Nothing was found." : `${count}.`;
    case "hits":
      return `${count}, and there are more: narrow the search with a glob or a longer pattern.`;
    case "time":
      return `${count}; stopped after 10 seconds, so not all files were searched: give a glob or a longer pattern.`;
  }
}

function showHits(hits: readonly GuardedHit[], { guard }: ReadContext): readonly DataLine[] {
  return hits.map(({ hit: { path, line }, shown }) => ({
    prefix: `${showPath(path, guard)}:${line}: ${cutLine(shown, MAX_TEXT_CHARS)}`,
    text: "",
  }));
}
