/** Finds where a text stops being YAML. Only what every parser refuses counts: libraries differ in indentation and tags. */
import { CST, Lexer, LineCounter, parseAllDocuments, Parser } from "yaml";
import type { ErrorCode } from "yaml";
import type { Fault } from "./fault.ts";

/** The library recurses per level, and a few thousand levels crash the process. */
const MAX_DEPTH = 200;

/** A larger file is data, and takes seconds. */
const MAX_CHARS = 128 * 1024;

/** Our words, by the library's code. The others depend on the parser. */
const WORDS: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY: "a mapping can't start here",
  BAD_DQ_ESCAPE: "an escape that a double-quoted text doesn't have",
  MISSING_CHAR: "a character is missing",
  MULTILINE_IMPLICIT_KEY: "a key goes over several lines",
  TAB_AS_INDENT: "a tab as indentation",
  UNEXPECTED_TOKEN: "unexpected text",
  BAD_SCALAR_START: "a plain text can't start with this character",
};

export function findYamlFault(text: string): Fault | null {
  if (text.length > MAX_CHARS || isTooDeep(text)) return null;
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    strict: false,
  });
  for (const document of documents) {
    for (const { code, pos, message } of document.errors) {
      // The library reports a bracket that is never closed as one of wrong indentation.
      const isOpen = code === "BAD_INDENT" && message.includes("and end with a");
      const words = isOpen ? "a bracket is never closed" : WORDS[code];
      if (words !== undefined) return { line: Math.max(1, lines.linePos(pos[0]).line), words };
    }
  }
  return null;
}

function isTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    if (CST.tokenType(lexeme) === null) continue;
    for (const token of parser.next(lexeme)) void token;
    if (parser.stack.length > MAX_DEPTH) return true;
  }
  return false;
}
