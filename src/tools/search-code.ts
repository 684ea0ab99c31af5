/**
 * `search_code`: lines that contain a text or match a regular expression. Git finds lines by fixed text only; expressions run
 * on a linear engine, so that no pattern is slow. Time and number of hits are limited.
 */
import * as z from "zod";
import { compileSafePattern } from "../config/repo-config/safe-pattern.ts";
import type { SearchResult } from "../repository/repository.ts";
import { showPath } from "../review/untrusted/show-path.ts";
import { guardHits, type GuardedHit, guardLine } from "./guard-hits.ts";
import { globMatcher } from "./list-files.ts";
import { ONLY_A_DIFF, deadlineOf, refuse } from "./resolve-paths.ts";
import { describeMachineMade, leaveOutMachineMade } from "./machine-made.ts";
import { requiredText } from "./required-text.ts";
import { cutLine } from "./show-lines.ts";
import type { DataLine, ReadContext, Tool } from "./tool.ts";

const MAX_HITS = 200;

/** Enough to understand the line; read_file shows the rest. */
const MAX_TEXT_CHARS = 300;

/** The engine's own limit for expressions. */
const MAX_PATTERN_CHARS = 500;

const schema = z.object({
  pattern: z.string().describe("An RE2 regular expression; (?i) ignores case"),
  glob: z.string().max(256).optional().describe("Such as src/**/*.ts or *.sql"),
  fixed: z.boolean().optional().describe("The pattern is plain text"),
});

export const searchCode: Tool<ReadContext, z.infer<typeof schema>> = {
  name: "search_code",
  description:
    "Lines that match, in all files after the change. Generated and minified files are only counted. At most 200.",
  schema,
  isOffered: ({ repository }) => repository !== null,
  async execute({ pattern, glob, fixed = false }, context) {
    const { repository, head } = context;
    if (repository === null) return ONLY_A_DIFF;
    if (pattern === "" || pattern.length > MAX_PATTERN_CHARS)
      return refuse(`A pattern must have 1 to ${MAX_PATTERN_CHARS} characters.`);
    if (/[\0\n\r]/.test(pattern))
      return refuse("The search is line by line, so the pattern must be a single line.");
    const isMatch = fixed ? (text: string) => text.includes(pattern) : compileSafePattern(pattern);
    if (isMatch === null)
      return refuse("Not a valid RE2 regular expression. Simplify it, or search with fixed: true.");
    const isWanted = glob === undefined ? () => true : globMatcher(glob);
    if (isWanted === null) return refuse("Invalid glob. Simplify it.");
    const result = await repository.search(
      head,
      {
        text: fixed ? pattern : requiredText(pattern),
        isWord: false,
        folder: fixedFolder(glob ?? ""),
        accepts: ({ path, text }) =>
          isWanted(path) && (fixed || isMatch(text)) && isShown(text, isMatch, context),
        maxHits: MAX_HITS,
      },
      deadlineOf(context),
    );
    const { hits, machineMade } = await leaveOutMachineMade(result.hits, repository, context);
    const guarded = await guardHits(hits, repository, context);
    const notes = describeMachineMade(machineMade, context.guard);
    return {
      text: [describeResult({ ...result, hits }), ...notes].join(" "),
      data: showHits(guarded, context),
    };
  },
};

/** A line that matches only because of its secret isn't a hit: patterns could reveal the secret character by character. */
function isShown(text: string, isMatch: (text: string) => boolean, { guard }: ReadContext): boolean {
  const shown = guardLine(text, guard);
  return shown !== null && (!guard.holdsSecret(shown) || isMatch(shown));
}

/** The folders of a glob before its first wildcard. */
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
      return hits.length === 0 ? "No matches." : `${count}.`;
    case "hits":
      return `${count}, and there are more. Narrow the search with a glob or a longer pattern.`;
    case "time":
      return `${count}. The search stopped after 10 seconds, so not all files were searched. Use a glob or a longer pattern.`;
  }
}

function showHits(hits: readonly GuardedHit[], { guard }: ReadContext): readonly DataLine[] {
  return hits.map(({ hit: { path, line }, shown }) => ({
    prefix: `${showPath(path, guard)}:${line}: ${cutLine(shown, MAX_TEXT_CHARS)}`,
    text: "",
  }));
}
