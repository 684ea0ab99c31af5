/**
 * The longest text that every match of a regular expression contains, so that git can skip all other lines. Returns "" when
 * in doubt: then every line is searched, which is slower but finds the same.
 */

/** Escapes of a single literal character. */
const PLAIN_ESCAPE = /^\\[^\w\s]$/;

/** One step of an expression (a character, a class, or the start or end of a group) and its quantifier. */
const STEP = /\\x\{[^}]*\}|\\[pP]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|[\s\S]/gy;
const REPEAT = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;

/** The start of a plain group; anything else after `(?` sets flags. */
const PLAIN_GROUP = /\((?!\?)|\(\?(?::|P?<\w+>)/y;

export function requiredText(pattern: string): string {
  const texts: string[] = [""];
  let depth = 0;
  let at = 0;
  while (at < pattern.length) {
    if (pattern[at] === "(") {
      PLAIN_GROUP.lastIndex = at;
      const begin = PLAIN_GROUP.exec(pattern)?.[0];
      if (begin === undefined) return "";
      depth++;
      texts.push("");
      at += begin.length;
      continue;
    }
    STEP.lastIndex = at;
    const step = STEP.exec(pattern)?.[0] ?? "";
    // With top-level alternatives no text is required; a quoting escape changes the meaning of characters.
    if (step === "" || step === "\\Q" || step === "\\E" || (step === "|" && depth === 0)) return "";
    if (step === ")") depth--;
    REPEAT.lastIndex = at + step.length;
    const repeat = REPEAT.exec(pattern)?.[0] ?? "";
    at += step.length + repeat.length;
    const character = depth > 0 ? null : characterOf(step);
    if (character === null || repeat !== "") texts.push("");
    else texts[texts.length - 1] += character;
  }
  return texts.toSorted((one, other) => other.length - one.length)[0] ?? "";
}

/** Null for a step that can match several characters. Git compares bytes, so only ASCII is the same for both. */
function characterOf(step: string): string | null {
  if (PLAIN_ESCAPE.test(step)) return /^\\[ -~]$/.test(step) ? step.slice(1) : null;
  return step.length === 1 && /^[ -~]$/.test(step) && !/[.^$*+?{}[\]()|\\]/.test(step) ? step : null;
}
