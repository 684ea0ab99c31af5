/**
 * The longest text that every match of a regular expression holds, so that git can leave out all other lines. Says "" when
 * in doubt: then every line is looked at, which is slower and finds the same.
 */

/** Escapes that stand for one character and nothing else. */
const PLAIN_ESCAPE = /^\\[^\w\s]$/;

/** One step of an expression: a character, a class, or one end of a group; and what repeats it. */
const STEP = /\\x\{[^}]*\}|\\[pP]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|[\s\S]/gy;
const REPEAT = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;

/** What a group may begin with and be no more than a group; anything else after `(?` sets flags. */
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
    // Alternatives of the whole leave nothing that must be there; a quoting escape changes what characters mean.
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

/** Null for what may stand for several characters. Git compares bytes: only ASCII is the same for both. */
function characterOf(step: string): string | null {
  if (PLAIN_ESCAPE.test(step)) return /^\\[ -~]$/.test(step) ? step.slice(1) : null;
  return step.length === 1 && /^[ -~]$/.test(step) && !/[.^$*+?{}[\]()|\\]/.test(step) ? step : null;
}
