/**
 * Matches path globs in linear time. Patterns come from repositories, so they are limited: minimatch 11 is linear in the
 * path, and braces, which multiply patterns, are limited before it sees them.
 */
import { Minimatch } from "minimatch";

/** `{a,b}{c,d}` expands to a product; legitimate patterns have far fewer than 64 alternatives. */
const MAX_BRACE_ALTERNATIVES = 64;
const MAX_GLOB_CHARS = 256;

export type GlobSet = (path: string) => boolean;

/** Null when the pattern exceeds the limits; the caller reports it. */
export function compileGlob(pattern: string): GlobSet | null {
  if (pattern.length === 0 || pattern.length > MAX_GLOB_CHARS) return null;
  if (countBraceAlternatives(pattern) > MAX_BRACE_ALTERNATIVES) return null;
  const matcher = new Minimatch(pattern, {
    dot: true,
    nocomment: true,
    nonegate: true,
    noext: true,
    platform: "linux",
  });
  if (matcher.set.length === 0) return null;
  return (path) => matcher.match(path);
}

/** Matches when any pattern does. Patterns over the limits match nothing. A pattern without a slash matches at any depth. */
export function compileGlobs(patterns: readonly string[]): GlobSet {
  const globs = patterns.map((pattern) => compileGlob(atAnyDepth(pattern))).filter((glob) => glob !== null);
  return (path) => globs.some((matches) => matches(path));
}

/** Whether `compileGlobs` can use the pattern. */
export function isUsableGlob(pattern: string): boolean {
  return pattern !== "" && compileGlob(atAnyDepth(pattern)) !== null;
}

function atAnyDepth(pattern: string): string {
  return pattern.includes("/") ? pattern : `**/${pattern}`;
}

/** An upper bound: the product of all alternatives, including nested ones. Numeric ranges count as too many. */
function countBraceAlternatives(pattern: string): number {
  if (/\{[^{}]*\.\.[^{}]*\}/.test(pattern)) return Number.POSITIVE_INFINITY;
  let product = 1;
  let depth = 0;
  let alternatives = 1;
  for (const char of pattern) {
    if (char === "{") {
      depth++;
      if (depth > 3) return Number.POSITIVE_INFINITY;
    } else if (char === "," && depth > 0) alternatives++;
    else if (char === "}" && depth > 0) {
      depth--;
      if (depth === 0) {
        product *= alternatives;
        alternatives = 1;
      }
    }
  }
  return product * alternatives;
}
