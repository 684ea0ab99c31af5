/**
 * Regular expressions written by a repository, run on an engine whose time grows with the text and not with the
 * pattern's ambiguity. Nothing a repository writes ever reaches the language's own backtracking engine.
 */
import { RE2JS } from "re2js";

/** Longer patterns are programs; a title needs a fraction of this. */
const MAX_PATTERN_CHARS = 500;

/** Time to match is text length times program size, so the size is bounded too: `\pL{1000}` is 9 characters and 1,000 steps. */
const MAX_PROGRAM_STEPS = 2_000;

/**
 * A test for "occurs anywhere in the text", case-sensitive unless the pattern starts with `(?i)`. Null when the pattern
 * is too long, not a regular expression, or needs look-around or back-references, which no linear engine has.
 */
export function compileSafePattern(source: string): ((text: string) => boolean) | null {
  if (source.length === 0 || source.length > MAX_PATTERN_CHARS) return null;
  const pattern = compileOrNull(source);
  if (pattern === null || pattern.programSize() > MAX_PROGRAM_STEPS) return null;
  return (text) => pattern.test(text);
}

/** The engine reports a bad pattern by throwing; here that is an expected answer. */
function compileOrNull(source: string): RE2JS | null {
  try {
    return RE2JS.compile(source);
  } catch {
    return null;
  }
}
