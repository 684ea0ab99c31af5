/** A regular expression for numbers with dots whose dots match anything: `\d+.\d+`. */
import type { LineRule } from "../rule.ts";

/** Where the text after it is a regular expression. */
const PATTERN_START =
  /(?:\bre\.(?:compile|match|search|fullmatch|sub|split|findall|finditer)|\bRegExp|MustCompile|\bPattern\.compile|\bpreg_\w{1,20}|\bRegex(?:\.\w{1,20})?|\bRegex::new)\(|[=(,:!&|?]\s?\/(?![/*])|\.(?:match|replace|replaceAll|test|search|split|gsub|scan)\(/;

/** A number, a bare dot, a number. */
const BARE_DOT = /(?:\\d|\[0-9\])(?:\+|\*|\{[\d,]{1,6}\})\.(?:\\{1,2}d|\[0-9\])[+*{]/;

export const unescapedDot: LineRule = {
  kind: "line",
  id: "unescaped-dot",
  title: "Unescaped dot: `.` between two numbers matches any character",
  severity: "medium",
  category: "correctness",
  why: "The expression also accepts texts without dots, such as `1x2` or a long number for a version or an address.",
  fix: "Write `\\.` for a dot.",
  confidence: 0.9,
  languages: [
    "javascript",
    "typescript",
    "tsx",
    "python",
    "go",
    "java",
    "kotlin",
    "csharp",
    "ruby",
    "php",
    "rust",
  ],
  check({ line, text }) {
    const start = PATTERN_START.exec(text);
    if (start === null || /^\s*(?:\/\/|\/?\*|#)/.test(text)) return null;
    return BARE_DOT.test(text.slice(start.index)) ? { line } : null;
  },
};
