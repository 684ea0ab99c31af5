/**
 * Runs a repository's regular expressions on a linear-time engine. A pattern from a repository never reaches
 * JavaScript's backtracking engine.
 */
import { RE2JS } from "re2js";

/** Matching a title needs a fraction of this. */
const MAX_PATTERN_CHARS = 500;

/** Matching takes text length times program size, so the size is bounded too: `\pL{1000}` has 9 characters and 1,000 steps. */
const MAX_PROGRAM_STEPS = 2_000;

/**
 * Returns a test for a match anywhere in the text, case-sensitive unless the pattern starts with `(?i)`. Null if the pattern
 * is too long, isn't valid, or needs look-around or back-references, which linear engines don't have.
 */
export function compileSafePattern(source: string): ((text: string) => boolean) | null {
  if (source.length === 0 || source.length > MAX_PATTERN_CHARS) return null;
  const pattern = compileOrNull(source);
  if (pattern === null || pattern.programSize() > MAX_PROGRAM_STEPS) return null;
  return (text) => pattern.test(text);
}

/** The engine throws on an invalid pattern, which is expected here. */
function compileOrNull(source: string): RE2JS | null {
  try {
    return RE2JS.compile(source);
  } catch {
    return null;
  }
}
