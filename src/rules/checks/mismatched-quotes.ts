/** A value between two quotes that differ: `"'" + name + '"'`. The text that is built never closes its quote. */
import type { LineRule } from "../rule.ts";

/** The literals of a line in order. */
const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** The code between two literals that join one value. */
const JOINED = /^\s?[+.]\s?[\w$.()[\]>-]{1,80}\s?[+.]\s?$/;

export const mismatchedQuotes: LineRule = {
  kind: "line",
  id: "mismatched-quotes",
  title: "Mismatched quotes: the text opens one quote and closes another",
  severity: "medium",
  category: "correctness",
  why: "The text has a quote without its partner: its parser fails, or a command or a query means something else.",
  fix: "Use the same quote on both sides of the value.",
  languages: ["javascript", "typescript", "tsx", "java", "kotlin", "csharp", "python", "ruby", "php", "go"],
  check({ line, text }) {
    if (!/["'][+.\s]/.test(text) || /^\s*(?:\/\/|\/?\*|#)/.test(text)) return null;
    const literals = [...text.matchAll(LITERAL)];
    for (const [index, literal] of literals.entries()) {
      const after = literals[index + 1];
      if (after === undefined || !JOINED.test(text.slice(literal.index + literal[0].length, after.index)))
        continue;
      const [opening, closing] = [contentOf(literal[0]), contentOf(after[0])];
      const [opened, closed] = [opening.at(-1) ?? "", closing[0] ?? ""];
      if (!/["'`]/.test(opened) || !/["'`]/.test(closed) || opened === closed) continue;
      // A quote that is closed before the value, or one of a second pair.
      if (opening.split(opened).length % 2 === 1 || opening.includes(closed) || closing.includes(opened))
        continue;
      return {
        line,
        title: `Mismatched quotes: ${wordOf(opened)} opens the value, ${wordOf(closed)} closes it`,
      };
    }
    return null;
  },
};

function contentOf(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(["'`])/g, "$1");
}

function wordOf(quote: string): string {
  return quote === '"' ? "a double quote" : quote === "'" ? "a single quote" : "a backtick";
}
