/** Comments, strings, templates and regular expressions of JavaScript. */
import {
  BACKSLASH,
  BACKTICK,
  CLOSE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  DOLLAR,
  EXCLAMATION,
  HASH,
  LESS,
  LF,
  OPEN_BRACE,
  OPEN_BRACKET,
  SLASH,
  STAR,
} from "../extract/characters.ts";
import {
  END,
  type LexicalRules,
  NAME,
  PUNCTUATION,
  type Scanner,
  setPunctuation,
  setString,
  setToken,
  skipBlock,
  skipLine,
  STRING,
  takeQuoted,
  tokenText,
} from "../extract/scan-code.ts";

/** Words before an expression. */
const BEFORE_EXPRESSION: ReadonlySet<string> = new Set(
  "return typeof case in of delete void throw new else do instanceof yield await from import default".split(
    " ",
  ),
);

export function javaScriptRules(): LexicalRules {
  let braces = 0;
  /** For each open template, the number of open braces around it. */
  const templates: number[] = [];
  /** No regular expression ends before this position. */
  let noRegexBefore = 0;

  /** Takes the part of a template up to its end or to the next `${`. */
  function takeTemplate(scanner: Scanner, from: number): true {
    const { text, limit, position: start } = scanner;
    for (let end = from; end < limit; end++) {
      const code = text.charCodeAt(end);
      if (code === BACKSLASH) end++;
      else if (code === BACKTICK) return setString(scanner, start, from, end, end + 1);
      else if (code === DOLLAR && text.charCodeAt(end + 1) === OPEN_BRACE) {
        templates.push(braces);
        return setString(scanner, start, from, end, end + 2);
      }
    }
    return setString(scanner, start, from, limit, limit);
  }

  function takeSlash(scanner: Scanner): boolean {
    const { text, position } = scanner;
    const after = text.charCodeAt(position + 1);
    if (after === SLASH) return skipLine(scanner);
    if (after === STAR) return skipBlock(scanner);
    if (position < noRegexBefore || !canStartRegex(scanner)) {
      setPunctuation(scanner, position, SLASH);
      return true;
    }
    const end = regexEnd(scanner, position + 1);
    if (end.isFound) setToken(scanner, STRING, position, end.at);
    else {
      noRegexBefore = end.at;
      setPunctuation(scanner, position, SLASH);
    }
    return true;
  }

  return {
    specials: "/\"'`{}#",
    letters: "$",
    special(scanner, code) {
      const { text, position } = scanner;
      if (code === SLASH) return takeSlash(scanner);
      if (code === BACKTICK) return takeTemplate(scanner, position + 1);
      if (code === OPEN_BRACE) braces++;
      else if (code === CLOSE_BRACE) {
        if (templates.length > 0 && templates[templates.length - 1] === braces) {
          templates.pop();
          return takeTemplate(scanner, position + 1);
        }
        braces--;
      } else if (code === HASH) {
        if (position === 0 && text.charCodeAt(1) === EXCLAMATION) return skipLine(scanner);
      } else if (!isApostrophe(scanner)) return takeQuoted(scanner, position);
      setPunctuation(scanner, position, code);
      return true;
    },
  };
}

/** An apostrophe in the text of an element, as in `<p>Don't</p>`. */
function isApostrophe(scanner: Scanner): boolean {
  return (
    scanner.kind === NAME && scanner.end === scanner.position && !BEFORE_EXPRESSION.has(tokenText(scanner))
  );
}

/** Whether a slash after the current token starts a regular expression. After a closing bracket, it is rather a division. */
function canStartRegex(scanner: Scanner): boolean {
  const { kind, code } = scanner;
  if (kind === PUNCTUATION) {
    // A slash after `<` closes an element.
    return code !== CLOSE && code !== CLOSE_BRACKET && code !== CLOSE_BRACE && code !== LESS;
  }
  return kind === END || (kind === NAME && BEFORE_EXPRESSION.has(tokenText(scanner)));
}

/** Not found if the line ends first. */
function regexEnd(
  { text, limit }: Scanner,
  from: number,
): { readonly at: number; readonly isFound: boolean } {
  let isClass = false;
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === LF) return { at, isFound: false };
    if (code === BACKSLASH) at++;
    else if (code === OPEN_BRACKET) isClass = true;
    else if (code === CLOSE_BRACKET) isClass = false;
    else if (code === SLASH && !isClass) return { at: at + 1, isFound: true };
  }
  return { at: limit, isFound: false };
}
